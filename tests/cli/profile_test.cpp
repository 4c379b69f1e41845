// SPDX-License-Identifier: Apache-2.0
// `seda profile data` and `seda tune` as people call them.
#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/file.h"
#include "seda/base/json.h"
#include "seda/cli/app.h"
#include "tests/support/run_program.h"
#include "tests/support/small_corpus.h"

namespace seda::cli {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing_support::run_seda;
using testing_support::run_shell;
using testing_support::TemporaryFolder;

/// A folder with a corpus of 24 clips.
class ProfileVerb : public testing::Test {
 protected:
  ProfileVerb() { write_small_corpus(folder_, 24); }

  testing_support::ProgramResult seda(const std::string& arguments) const {
    return run_seda(arguments, folder_.path());
  }
  Json json(const std::string& arguments) const {
    const auto result = seda(arguments + " --json");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return parse_json(result.out, "stdout");
  }

  TemporaryFolder folder_;
};

constexpr const char* kShort = "profile data corpus --num-batches 10 --batch-size 4";

TEST_F(ProfileVerb, JsonHasWhatScriptsRelyOn) {
  const Json profile = json(kShort);
  for (const char* field :
       {"text", "audio", "batches", "clips_per_second", "batch_ms", "wait_ms", "gpu_idle_estimate",
        "variation", "oscillation", "stages", "verdict", "reference", "grid", "recommended"})
    EXPECT_TRUE(profile.contains(field)) << field;
  EXPECT_EQ(profile["batches"], 10);
  for (const char* field : {"mean", "std", "min", "max", "median", "p95", "p99"})
    EXPECT_TRUE(profile["batch_ms"][field].is_number()) << field;
  for (const char* field : {"found", "period_s", "p_value"})
    EXPECT_TRUE(profile["oscillation"].contains(field)) << field;
  for (const char* field :
       {"name", "count", "busy", "blocked_in", "blocked_out", "queue_mean", "bytes"})
    EXPECT_TRUE(profile["stages"][0].contains(field)) << field;
  EXPECT_GT(profile["text"]["per_line_us"], 0);
  EXPECT_GT(profile["audio"]["load_ms"], 0);
  EXPECT_GT(profile["clips_per_second"], 0);
  EXPECT_TRUE(profile["verdict"]["cause"].is_string());
}

TEST_F(ProfileVerb, PacedByAStepEstimatesIdleTime) {
  const Json profile = json(std::string(kShort) + " --step-ms 2");
  EXPECT_THAT(profile["gpu_idle_estimate"].get<double>(),
              AllOf(testing::Ge(0.0), testing::Le(1.0)));
  EXPECT_EQ(profile["step_ms"], 2);
}

TEST_F(ProfileVerb, OnlyAtAStepVariationHasABand) {
  const std::string line = "profile data corpus --num-batches 20 --batch-size 4";
  EXPECT_THAT(seda(line).out, HasSubstr(" without outliers\n"));
  EXPECT_THAT(seda(line + " --step-ms 1").out, HasSubstr(" without outliers  ("));
}

TEST_F(ProfileVerb, OfASingleBatchHasNoVariation) {
  const std::string line = "profile data corpus --num-batches 1 --batch-size 4";
  EXPECT_EQ(json(line)["variation"], nullptr);
  EXPECT_THAT(seda(line).out, HasSubstr("variation    not measured: each shape came once"));
}

TEST_F(ProfileVerb, ReportIsForPeopleAndFitsATerminal) {
  const auto result = seda(std::string(kShort) + " --output report.txt");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("verdict"), HasSubstr("read      ["),
                                HasSubstr("variation"), HasSubstr("(good)")));
  EXPECT_EQ(read_file(folder_ / "report.txt"), result.out);
  EXPECT_THAT(result.err, HasSubstr("report: report.txt"));
}

TEST_F(ProfileVerb, PageHasTheVerdictFirstAndItsCharts) {
  const auto result = seda(std::string(kShort) + " --step-ms 2 --html page.html");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string page = read_file(folder_ / "page.html");
  EXPECT_THAT(page, AllOf(HasSubstr("<h1>The loader</h1>"), HasSubstr("class=\"verdict\""),
                          HasSubstr("Stages (workers: "), HasSubstr("Step times"),
                          HasSubstr("GPU idle"), HasSubstr("clips/s"), Not(HasSubstr("http"))));
  EXPECT_LT(page.find("class=\"verdict\""), page.find("Stages (workers: "));
}

TEST_F(ProfileVerb, WritesATimelineWithTheConsumersSteps) {
  EXPECT_EQ(seda(std::string(kShort) + " --trace timeline.json").exit_code, 0);
  const std::string trace = read_file(folder_ / "timeline.json");
  EXPECT_THAT(trace, AllOf(HasSubstr("consumer"), HasSubstr("\"step\""), HasSubstr("\"read\"")));
}

TEST_F(ProfileVerb, ComparesTheReferenceLoader) {
  const Json profile = json(std::string(kShort) + " --compare-reference");
  EXPECT_GT(profile["reference"]["clips_per_second"], 0);
}

TEST_F(ProfileVerb, MeasuresColdAndWarm) {
  const Json profile = json(std::string(kShort) + " --cold");
  EXPECT_GT(profile["cold"]["clips_per_second"], 0);
  EXPECT_GT(profile["clips_per_second"], 0);
}

/// Clips of which every second one is seven times as long, and too few of them for a batch of each.
class ProfilePadding : public ProfileVerb {
 protected:
  ProfilePadding() {
    for (int i = 1; i < 24; i += 2)
      folder_.write("corpus/wavs/c" + std::to_string(100 + i) + ".wav", long_wav());
  }

  static std::string long_wav() {
    return audio::wav_bytes(std::vector<int16_t>(size_t{7} * 2205, 1000), 22050);
  }
};

TEST_F(ProfilePadding, ThatOwnShapesCannotSaveIsNoFault) {
  const Json profile = json("profile data corpus --num-batches 4 --batch-size 24 --step-ms 1");
  EXPECT_NE(profile["verdict"]["cause"], "padding_waste") << profile["verdict"];
}

TEST_F(ProfilePadding, ThatOwnShapesWouldSaveIsNamedWithWhatTheySave) {
  folder_.write("one.yaml", "data:\n  dataset_path: corpus\n  num_buckets: 1\n");
  const Json verdict =
      json("profile data --config one.yaml --num-batches 8 --batch-size 4 --step-ms 1")["verdict"];
  EXPECT_EQ(verdict["cause"], "padding_waste") << verdict;
  EXPECT_THAT(verdict["remedies"][0]["expected_gain"].get<std::string>(),
              HasSubstr("% of the frames are real"));
}

TEST_F(ProfileVerb, SaysOfTheCacheOnce) {
  ASSERT_EQ(seda("prepare corpus").exit_code, 0);
  for (const char* line : {"profile data corpus --num-batches 10 --batch-size 4 --cold",
                           "diagnose corpus --num-batches 10 --batch-size 4 --step-ms 1"}) {
    const std::string log = seda(line).err;
    const size_t first = log.find("CACHE LOADED");
    EXPECT_NE(first, std::string::npos) << log;
    EXPECT_EQ(log.find("CACHE", first + 1), std::string::npos) << log;
  }
}

TEST_F(ProfileVerb, BenchmarkRecommendsOneOfTheGrid) {
  const Json profile =
      json(std::string(kShort) + " --benchmark --grid-batch-sizes 4 --grid-workers 1,2");
  EXPECT_EQ(profile["grid"].size(), 2u);
  EXPECT_EQ(profile["recommended"]["batch_size"], 4);
  for (const char* field : {"num_workers", "expected_ms", "expected_variation"})
    EXPECT_TRUE(profile["recommended"].contains(field)) << field;
  for (const Json& trial : profile["grid"]) {
    const double clips_a_batch =
        1e-3 * trial["batch_ms"].get<double>() * trial["clips_per_second"].get<double>();
    EXPECT_NEAR(clips_a_batch, 4, 0.01);
  }
}

TEST_F(ProfileVerb, RawFilesAreNamedAsTheCause) {
  const Json profile = json(std::string(kShort) + " --no-prepare");
  EXPECT_EQ(profile["verdict"]["cause"], "cache_off");
  EXPECT_EQ(profile["cache_state"], "none");
}

TEST_F(ProfileVerb, TooManyBadClipsEndWithOne) {
  folder_.write("bad.yaml", "debug:\n  inject: [bad_clips=0.9]\n");
  const auto result = seda(std::string(kShort) + " --config bad.yaml");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("data.max_fault_share"));
}

TEST_F(ProfileVerb, WithoutACorpusNamesTheKey) {
  const auto result = seda("profile data");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("data.dataset_path"));
}

TEST_F(ProfileVerb, ADeviceThatIsNotThereCannotBeMeasured) {
  const auto result = seda(std::string(kShort) + " --model-gpu 77");
  EXPECT_EQ(result.exit_code, 3);
}

TEST_F(ProfileVerb, CtrlCEndsIt) {
  ASSERT_EQ(seda("prepare corpus").exit_code, 0);
  const std::string program = (program_root() / "bin/seda").string();
  const auto result = run_shell("timeout --foreground --preserve-status -s INT 2 '" + program +
                                    "' profile data corpus --step-ms 100 --num-batches 100000",
                                folder_.path());
  EXPECT_EQ(result.exit_code, 130) << result.err;
  EXPECT_THAT(result.out, IsEmpty());
}

TEST(ProfileFlags, AreThoseThatWerePromised) {
  const auto app = make_app();
  const CLI::App* data = app->get_subcommand("profile")->get_subcommand("data");
  for (const char* flag :
       {"--batch-size", "--num-batches", "--num-workers", "--step-ms", "--cold",
        "--compare-reference", "--benchmark", "--trace", "--output", "--train-data", "--data-path",
        "--data-gpu", "--model-gpu", "--config", "--json", "--quiet"})
    EXPECT_NE(data->get_option_no_throw(flag), nullptr) << flag;
}

TEST_F(ProfileVerb, TuneJsonHasWhatScriptsRelyOn) {
  const Json tuned = json("tune corpus --batch-size 4 --seconds 0");
  for (const char* field : {"trials", "chosen", "seconds", "best_share", "applied"})
    EXPECT_TRUE(tuned.contains(field)) << field;
  EXPECT_GT(tuned["trials"][0]["clips_per_second"], 0);
  EXPECT_TRUE(tuned["trials"][0]["settings"].contains("num_workers"));
  const Json workers = tuned["chosen"]["num_workers"];
  EXPECT_TRUE(workers == "auto" || (workers.is_number_integer() && workers >= 1)) << workers;
  EXPECT_EQ(tuned["applied"], false);
}

TEST_F(ProfileVerb, TuneAppliesToTheFileAndKeepsAComment) {
  folder_.write("voice.yaml",
                "data:\n  dataset_path: corpus\n  batch_size: 4\n  num_workers: 1  # guessed\n"
                "debug:\n  inject: [slow_storage=20]\n");
  const auto result = seda("tune --config voice.yaml --seconds 4 --apply");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("-  num_workers: 1  # guessed"), HasSubstr("applied    kept")));
  EXPECT_THAT(read_file(folder_ / "voice.yaml.bak-1"), HasSubstr("num_workers: 1 "));
  EXPECT_THAT(read_file(folder_ / "voice.yaml"),
              AllOf(HasSubstr("# guessed"), Not(HasSubstr("num_workers: 1 "))));
}

TEST_F(ProfileVerb, TuneLeavesAFileThatNothingIsBetterThan) {
  const std::string text = "data:\n  dataset_path: corpus\n  batch_size: 4\n";
  folder_.write("voice.yaml", text);
  const auto result = seda("tune --config voice.yaml --seconds 0 --step-ms 50 --apply");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("of the best trial: the cheapest with which no step waits"),
                    HasSubstr("applied    nothing: not better than the configuration by more than "
                              "their runs differ")));
  EXPECT_EQ(read_file(folder_ / "voice.yaml"), text);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "voice.yaml.bak-1"));
}

TEST_F(ProfileVerb, OfAFrameBudgetCountsTheClipsThatWereFed) {
  const auto result = seda("profile data corpus --num-batches 4 --batch-frames 700");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, ContainsRegex("4 batches of at most 700 frames \\([0-9.]+ clips\\)"));
  const Json profile =
      json("profile data corpus --num-batches 4 --batch-frames 700 --benchmark --grid-workers 1,2");
  EXPECT_GT(profile["clips_per_batch"], 0);
  EXPECT_EQ(profile["grid"].size(), 2u);
  EXPECT_TRUE(profile["recommended"]["batch_size"].is_null());
}

TEST_F(ProfileVerb, BatchSizesAreNotTriedWhereABudgetOfFramesHidesThem) {
  for (const char* line : {"tune corpus --batch-frames 700 --batch-sizes 4,8",
                           "profile data corpus --batch-frames 700 --grid-batch-sizes 4,8"}) {
    const auto result = seda(line);
    EXPECT_EQ(result.exit_code, 2) << line;
    EXPECT_THAT(result.err, HasSubstr("found data.batch_frames 700 (--batch-frames)")) << line;
  }
}

TEST_F(ProfileVerb, TuneLeavesTheSizeOfBatchesThatFramesMeasure) {
  folder_.write("frames.yaml",
                "data:\n  dataset_path: corpus\n  batch_frames: 700\n  num_workers: 37\n");
  const auto result = seda("tune --config frames.yaml --seconds 0 --apply");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("batch 700 frames"));
  EXPECT_THAT(read_file(folder_ / "frames.yaml"),
              AllOf(HasSubstr("batch_frames: 700"), Not(HasSubstr("batch_size"))));
}

TEST_F(ProfileVerb, TuneHasNothingToApplyToWithoutAFile) {
  const auto result = seda("tune corpus --apply");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--config"));
}

}  // namespace
}  // namespace seda::cli
