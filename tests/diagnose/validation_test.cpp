// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/file_lock.h"
#include "seda/cache/writer.h"
#include "seda/diagnose/checks.h"
#include "seda/feed/prepare.h"
#include "seda/feed/prepare_options.h"
#include "tests/diagnose/validation_bench.h"
#include "tests/support/small_wav.h"
#include "tests/support/temporary_folder.h"

namespace seda::diagnose {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::check_named;
using testing_support::TemporaryFolder;
using testing_support::ValidationBench;

std::vector<std::string> codes_of(const Check& check) {
  std::vector<std::string> out;
  for (const Finding& finding : check.findings)
    out.push_back(finding.code);
  return out;
}

/// What a check says of a configuration on a machine with two GPUs.
Check look(const std::string& text, std::string_view name, int gpus = 2) {
  ValidationBench bench(gpus);
  return check_named(bench.validate(text), name);
}

TEST(Validate, MakesEveryCheckInItsOrder) {
  ValidationBench bench;
  ValidationOptions options;
  options.live = true;
  std::vector<std::string> names;
  for (const Check& check : bench.validate("data: {}\n", options).checks)
    names.push_back(check.name);
  EXPECT_THAT(names, ElementsAreArray(check_names()));
}

TEST(Validate, OfAGoodConfigurationPassesWhatNeedsNoCorpus) {
  ValidationBench bench;
  const Validation all = bench.validate("data: {num_workers: 4}\n");
  EXPECT_EQ(all.count(Status::failed), 0u);
  EXPECT_EQ(check_named(all, "schema").status, Status::passed);
  EXPECT_THAT(check_named(all, "workers").evidence, HasSubstr("4 workers, 8 cores (seda.yaml:1)"));
}

TEST(Validate, WithoutACorpusNamesTheKeyToSet) {
  for (const char* name : {"cache", "corpus fit", "batch size", "memory fit", "loader"}) {
    const Check check = look("data: {}\n", name);
    EXPECT_EQ(check.status, Status::not_measured) << name;
    EXPECT_THAT(check.change, HasSubstr("data.dataset_path")) << name;
  }
}

TEST(Validate, ListsEveryProblemOfAForeignConfigurationWithLineAndNearestName) {
  std::string text = "trainer:\n  max_epochs: 10\ndata:\n  batch_sise: 4\n";
  for (int i = 0; i < 40; ++i)
    text += "other_" + std::to_string(i) + ": 1\n";
  const Check schema = look(text, "schema");
  EXPECT_EQ(schema.status, Status::failed);
  ASSERT_EQ(schema.findings.size(), 42u);
  EXPECT_EQ(schema.findings[1].line, 4);
  EXPECT_THAT(schema.findings[1].evidence, HasSubstr("seda.yaml:4:3: unknown key data.batch_sise"));
  EXPECT_THAT(schema.findings[1].change, HasSubstr("data.batch_size"));
  EXPECT_EQ(look(text, "loader").evidence, "the schema has problems");
}

struct Case {
  const char* text;
  const char* check;
  const char* code;
  Status status;
};

class ConfigurationCheck : public testing::TestWithParam<Case> {};

TEST_P(ConfigurationCheck, FindsItsFaultAndSaysWhereItWasSet) {
  const Check check = look(GetParam().text, GetParam().check);
  EXPECT_EQ(check.status, GetParam().status) << check.evidence;
  EXPECT_THAT(codes_of(check), Contains(GetParam().code));
  EXPECT_THAT(check.evidence, HasSubstr("(seda.yaml:1)"));
  EXPECT_FALSE(check.change.empty());
  EXPECT_EQ(check.findings.front().line, 1);
}

INSTANTIATE_TEST_SUITE_P(
    Faults, ConfigurationCheck,
    testing::Values(
        Case{"data: {native_loading: false}", "native loading", "reference_loader", Status::failed},
        Case{"data: {num_workers: 9}", "workers", "too_many_workers", Status::warning},
        Case{"data: {prefetch_to_gpu: false}", "prefetch", "prefetch_off", Status::warning},
        Case{"data: {prefetch_buffer_size: 1}", "prefetch", "prefetch_off", Status::warning},
        Case{"data: {pin_memory: false}", "prefetch", "pageable_copies", Status::warning},
        Case{"data: {pad_to_fixed_length: false}", "fixed shapes", "shapes_vary", Status::warning},
        Case{"data: {enable_xla: false}", "fused kernels", "plain_kernels", Status::warning},
        Case{"training: {enable_graph_mode: false}", "graph mode", "no_graphs", Status::warning},
        Case{"training: {enable_eager_debug: true}", "graph mode", "eager_debug", Status::warning},
        Case{"data: {mixed_precision: false}", "mixed precision", "full_precision",
             Status::warning},
        Case{"data: {model_gpu: 5}", "roles and budgets", "missing_gpu", Status::failed},
        Case{"data: {memory_isolation: true, data_gpu_memory: 30000}", "roles and budgets",
             "budget_above_card", Status::failed}));

TEST(CheckGpu, WithoutOneIsAWarningUnlessARoleNamesIt) {
  EXPECT_EQ(look("data: {}\n", "GPU", 0).status, Status::warning);
  EXPECT_EQ(look("data: {model_gpu: cpu}\n", "GPU", 0).status, Status::warning);
  EXPECT_EQ(look("data: {model_gpu: 0}\n", "GPU", 0).status, Status::failed);
  EXPECT_THAT(codes_of(look("data: {}\n", "GPU", 0)), ElementsAreArray({"no_gpu"}));
}

TEST(CheckGpu, WithoutADriversLibraryIsAWarning) {
  const Check check = look("data: {}\n", "GPU");
  EXPECT_THAT(codes_of(check), ElementsAreArray({"no_gpu_monitor"}));
  EXPECT_THAT(check.evidence, AllOf(HasSubstr("cuda:0"), HasSubstr("cuda:1")));
}

TEST(CheckStep, OnACpuHasNoUseForGraphsAndBf16) {
  for (const char* name : {"graph mode", "mixed precision"}) {
    const Check check =
        look("training: {enable_graph_mode: false, mixed_precision: false}\n", name, 0);
    EXPECT_EQ(check.status, Status::passed) << name;
  }
}

TEST(CheckPeers, TellsWhetherTheDataGpuReachesTheModelGpu) {
  const std::string roles = "data: {data_gpu: 0, model_gpu: 1}\n";
  EXPECT_EQ(look(roles, "peers").status, Status::passed);
  ValidationBench apart;
  testing_support::FakePlatform alone({.devices = 2, .peers = false});
  const config::Reading reading = config::parse_config(roles, "seda.yaml");
  const Validation all = diagnose::validate({.reading = reading,
                                             .file = "seda.yaml",
                                             .text = roles,
                                             .platform = alone.platform,
                                             .monitor = *apart.monitor,
                                             .machine = apart.machine},
                                            {});
  EXPECT_THAT(codes_of(check_named(all, "peers")), ElementsAreArray({"no_peer_access"}));
}

TEST(CheckRam, BelowSixteenGigabytesIsAWarning) {
  ValidationBench bench;
  bench.machine.memory_bytes = uint64_t{8} << 30;
  EXPECT_THAT(codes_of(check_named(bench.validate("data: {}\n"), "RAM")),
              ElementsAreArray({"little_ram"}));
  bench.machine.memory_bytes = std::nullopt;
  EXPECT_EQ(check_named(bench.validate("data: {}\n"), "RAM").status, Status::not_measured);
}

/// Validation of a small corpus, on the CPU alone.
class ValidateCorpus : public testing::Test {
 protected:
  ValidateCorpus() : bench_(0) {
    for (int i = 0; i < 12; ++i)
      add("c" + std::to_string(i), testing_support::small_wav(i));
  }

  void add(const std::string& id, const std::string& wav) {
    metadata_ += id + "|The clip with the name " + id + ".\n";
    folder_.write("corpus/wavs/" + id + ".wav", wav);
    folder_.write("corpus/metadata.csv", metadata_);
  }

  ValidationOptions options() const {
    ValidationOptions out;
    out.corpus = folder_ / "corpus";
    out.weigh_model = [](const feed::ClipSource&) { return ModelMemory{1000, 4000, 16000}; };
    return out;
  }

  Validation validate(const std::string& text = "data: {batch_size: 4}\n") {
    return bench_.validate(text, options());
  }

  void prepare() {
    feed::prepare(feed::prepare_options({}, folder_ / "corpus", &bench_.fake.platform));
  }

  ValidationBench bench_;
  TemporaryFolder folder_;
  std::string metadata_;
};

TEST_F(ValidateCorpus, TakesARealBatchAndWritesNothing) {
  const Validation all = validate();
  const Check loader = check_named(all, "loader");
  EXPECT_EQ(loader.status, Status::passed) << loader.evidence;
  EXPECT_THAT(loader.evidence, AllOf(HasSubstr("a batch of 4 clips"), HasSubstr("native loader"),
                                     HasSubstr("from files"), HasSubstr("read ")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "corpus/.seda"));
  EXPECT_THAT(codes_of(check_named(all, "cache")), ElementsAreArray({"no_cache"}));
  EXPECT_EQ(check_named(all, "batch size").status, Status::passed);
  EXPECT_THAT(check_named(all, "memory fit").evidence, HasSubstr("15.6 KiB"));
}

TEST_F(ValidateCorpus, MeasuresBatchesByTheKeyThatIsLookedAt) {
  EXPECT_THAT(check_named(validate("data: {batch_frames: 100}\n"), "batch size").evidence,
              HasSubstr("at most 100 frames a batch, shapes "));
  const Validation wrong = validate("data: {batch_frames: 100, pad_to_fixed_length: false}\n");
  EXPECT_THAT(codes_of(check_named(wrong, "schema")), ElementsAreArray({"contradiction"}));
  EXPECT_EQ(check_named(wrong, "batch size").status, Status::not_measured);
}

TEST_F(ValidateCorpus, LooksAtASampleOfALargeCorpus) {
  for (int i = 0; i < static_cast<int>(kSampleClips); ++i)
    add("more" + std::to_string(i), testing_support::small_wav(i));
  const Validation all = validate();
  EXPECT_THAT(check_named(all, "corpus fit").evidence,
              HasSubstr("of a sample of 400 of 412 clips"));
  EXPECT_EQ(check_named(all, "loader").status, Status::passed);
}

TEST_F(ValidateCorpus, OfTheReferenceLoaderSeesThatItRan) {
  const Check loader =
      check_named(validate("data: {batch_size: 4, native_loading: false}\n"), "loader");
  EXPECT_EQ(loader.status, Status::passed) << loader.evidence;
  EXPECT_THAT(loader.evidence, HasSubstr("reference loader"));
}

TEST_F(ValidateCorpus, UsesACacheThatIsCurrent) {
  prepare();
  const Validation all = validate();
  EXPECT_EQ(check_named(all, "cache").status, Status::passed);
  EXPECT_THAT(check_named(all, "loader").evidence, HasSubstr("from cache"));
}

TEST_F(ValidateCorpus, FindsAStaleCacheWithItsReasons) {
  prepare();
  add("new", testing_support::small_wav(50));
  const Check cache = check_named(validate(), "cache");
  EXPECT_THAT(codes_of(cache), ElementsAreArray({"stale_cache"}));
  EXPECT_THAT(cache.evidence, HasSubstr("because: "));
}

TEST_F(ValidateCorpus, FindsADamagedCache) {
  prepare();
  folder_.write("corpus/.seda/MANIFEST.json", "{");
  const Validation all = validate();
  EXPECT_THAT(codes_of(check_named(all, "cache")), ElementsAreArray({"damaged_cache"}));
  EXPECT_EQ(check_named(all, "loader").status, Status::passed) << "from the files";
}

TEST_F(ValidateCorpus, FindsThatAnotherProcessWritesTheCache) {
  prepare();
  const cache::Writer writer(folder_ / "corpus/.seda");
  EXPECT_THAT(codes_of(check_named(validate(), "cache")), ElementsAreArray({"busy_cache"}));
}

TEST_F(ValidateCorpus, FindsACacheFolderThatCannotBeWritten) {
  const std::string text =
      "data: {cache_dir: " + (folder_ / "corpus/metadata.csv/x").string() + "}";
  EXPECT_THAT(codes_of(check_named(validate(text), "cache")), Contains("unwritable_cache"));
}

TEST_F(ValidateCorpus, FindsBadClipsAndFailsOnTooMany) {
  add("broken", "RIFF and nothing else");
  EXPECT_EQ(check_named(validate(), "corpus fit").status, Status::failed);
  const Check few = check_named(validate("data: {max_fault_share: 0.5}\n"), "corpus fit");
  EXPECT_EQ(few.status, Status::warning);
  EXPECT_THAT(few.evidence, testing::ContainsRegex("1 bad clip: broken .*; [0-9.]+ % of all, "
                                                   "data\\.max_fault_share allows 50\\.0 % \\("));
}

TEST_F(ValidateCorpus, FindsOddSound) {
  add("silent", audio::wav_bytes(std::vector<int16_t>(22050), 22050));
  add("clipped", audio::wav_bytes(std::vector<int16_t>(22050, 32767), 22050));
  add("slow", audio::wav_bytes(std::vector<int16_t>(16000, 3000), 16000));
  const Check check = check_named(validate(), "corpus fit");
  EXPECT_THAT(codes_of(check), testing::IsSupersetOf({"silent_clips", "clipped_clips",
                                                      "short_clips", "low_rate_clips"}));
  EXPECT_THAT(check.evidence, AllOf(HasSubstr("first silent"), HasSubstr("1 at 16000 Hz")));
}

TEST_F(ValidateCorpus, FindsSkippedClipsAndUnknownSymbols) {
  const Check skipped = check_named(validate("data: {max_text_length: 3}\n"), "corpus fit");
  EXPECT_EQ(skipped.status, Status::failed) << "none is left";
  metadata_ += "u|The word 語 is here.\n";
  add("u2", testing_support::small_wav(3));
  folder_.write("corpus/wavs/u.wav", testing_support::small_wav(4));
  const Check check = check_named(
      validate("data: {text: {phonemes: false, tokenizer: characters}}\n"), "corpus fit");
  EXPECT_THAT(codes_of(check), Contains("unknown_symbols")) << check.evidence;
}

TEST_F(ValidateCorpus, OfAnEmptyFolderFails) {
  std::filesystem::create_directories(folder_ / "empty");
  ValidationOptions where = options();
  where.corpus = folder_ / "empty";
  const Validation all = bench_.validate("data: {}\n", where);
  EXPECT_THAT(codes_of(check_named(all, "corpus fit")), ElementsAreArray({"unreadable_corpus"}));
  EXPECT_EQ(check_named(all, "loader").status, Status::not_measured);
}

TEST_F(ValidateCorpus, OfAModelThatIsTooLargeFails) {
  ValidationOptions heavy = options();
  heavy.weigh_model = [](const feed::ClipSource&) {
    return ModelMemory{1, uint64_t{1} << 50, uint64_t{1} << 50};
  };
  EXPECT_THAT(codes_of(check_named(bench_.validate("data: {}\n", heavy), "memory fit")),
              ElementsAreArray({"memory_exceeded"}));
}

TEST_F(ValidateCorpus, NamesPlantedFaults) {
  EXPECT_THAT(codes_of(check_named(validate("debug: {inject: [slow_clip=5]}\n"), "loader")),
              Contains("planted_faults"));
}

TEST_F(ValidateCorpus, LiveFeedsAConsumerAtTheStepsPace) {
  ValidationOptions live = options();
  live.live = true;
  live.live_run.seconds = 0.2;
  live.live_run.probe_step = [](const config::Config&) {
    StepProfile step;
    step.ceiling_s = 0.002;
    step.path = "op by op";
    return step;
  };
  const Validation all = bench_.validate("data: {batch_size: 4}\n", live);
  ASSERT_TRUE(all.live);
  EXPECT_TRUE(all.live->path.native);
  EXPECT_GT(all.live->batches, 0u);
  EXPECT_EQ(all.live->step_s, 0.002);
  EXPECT_THAT(check_named(all, "live run").evidence,
              AllOf(HasSubstr("a step takes 2 ms (op by op)"), HasSubstr("data stall")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "corpus/.seda"));
}

TEST_F(ValidateCorpus, LiveWithoutAStepSaysWhy) {
  ValidationOptions live = options();
  live.live = true;
  live.live_run.seconds = 0.1;
  live.live_run.no_step = "there is no trainer";
  const Check check = check_named(bench_.validate("data: {batch_size: 4}\n", live), "live run");
  EXPECT_EQ(check.status, Status::not_measured);
  EXPECT_THAT(check.evidence, AllOf(HasSubstr("native loader"),
                                    HasSubstr("step time not measured: there is no trainer")));
}

}  // namespace
}  // namespace seda::diagnose
