// SPDX-License-Identifier: Apache-2.0
#include "seda/corpus/make_corpus.h"

#include <csignal>
#include <map>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/json.h"
#include "seda/dataset/corpus.h"
#include "tests/support/error_message.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace seda::corpus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::error_message;
using testing_support::run_seda;
using testing_support::TemporaryFolder;

/// Path → content of every file below the folder that belongs to the corpus.
std::map<std::string, std::string> content(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const auto name = entry.path().lexically_relative(folder).string();
    if (entry.is_regular_file() && !name.starts_with('.')) {
      files[name] = testing_support::read_file(entry.path());
    }
  }
  return files;
}

CorpusOptions small(const std::filesystem::path& folder) {
  return {.folder = folder, .clips = 6, .voices = {"kal16", "slt"}};
}

TEST(MakeCorpus, SameBytesForAnyNumberOfThreads) {
  const TemporaryFolder parent;
  auto options = small(parent / "one");
  options.threads = 1;
  make_corpus(options);
  for (const int threads : {2, 8}) {
    options.folder = parent / std::to_string(threads);
    options.threads = threads;
    make_corpus(options);
    EXPECT_EQ(content(parent / "one"), content(options.folder)) << threads;
  }
  EXPECT_EQ(content(parent / "one").size(), 7u);
}

TEST(MakeCorpus, SeedChangesTheBytes) {
  const TemporaryFolder parent;
  auto options = small(parent / "a");
  make_corpus(options);
  options.folder = parent / "b";
  options.seed = 1;
  make_corpus(options);
  EXPECT_NE(content(parent / "a"), content(parent / "b"));
}

TEST(MakeCorpus, LjspeechLayoutIsReadWithoutAFault) {
  const TemporaryFolder parent;
  const auto report = make_corpus({.folder = parent / "a", .clips = 5, .voices = {"kal16"}});
  const auto read = dataset::read_corpus(parent / "a", {});
  EXPECT_EQ(read.format, dataset::Format::ljspeech);
  EXPECT_THAT(read.faults, IsEmpty());
  EXPECT_EQ(read.utterances.size(), 5u);
  EXPECT_THAT(read.speakers, IsEmpty());
  EXPECT_EQ(report.clips, 5u);
  EXPECT_GT(report.audio_s, 5);
  EXPECT_LT(report.audio_s, 60);
}

TEST(MakeCorpus, SpeakersLayoutIsReadWithoutAFault) {
  const TemporaryFolder parent;
  auto options = small(parent / "a");
  options.layout = Layout::speakers;
  make_corpus(options);
  const auto read = dataset::read_corpus(parent / "a", {});
  EXPECT_EQ(read.format, dataset::Format::table);
  EXPECT_THAT(read.faults, IsEmpty());
  EXPECT_EQ(read.utterances.size(), 6u);
  EXPECT_THAT(read.speakers, ElementsAre("kal16", "slt"));
  EXPECT_THAT(read.languages, ElementsAre("en"));
}

TEST(MakeCorpus, SeveralVoicesInLjspeechAreNamed) {
  const TemporaryFolder parent;
  make_corpus(small(parent / "a"));
  EXPECT_THAT(dataset::read_corpus(parent / "a", {}).speakers, ElementsAre("kal16", "slt"));
}

TEST(MakeCorpus, TranscriptsAreSaidAndBadLinesSkipped) {
  const TemporaryFolder parent;
  const auto file = parent.write("t.csv", "x|Hello.\ny|سلام.\nz\nw|Good bye.\n");
  const auto report =
      make_corpus({.folder = parent / "a", .transcripts = file, .voices = {"kal16"}});
  EXPECT_EQ(report.clips, 2u);
  ASSERT_EQ(report.skipped.size(), 2u);
  EXPECT_EQ(report.skipped[0].code, "columns_too_few");
  EXPECT_EQ(report.skipped[1].code, "text_unspeakable");
  EXPECT_THAT(report.skipped[1].evidence, HasSubstr("t.csv:2: voice kal16: expected English"));
  EXPECT_EQ(testing_support::read_file(parent / "a/metadata.csv"),
            "x|Hello.|Hello.\nw|Good bye.|Good bye.\n");
  EXPECT_FALSE(std::filesystem::exists(parent / "a/wavs/y.wav"));
}

TEST(MakeCorpus, TranscriptsThatNameSoundFilesAreReadWithoutAFault) {
  const TemporaryFolder parent;
  const auto file = parent.write("t.csv", "x.wav|Hello.\ny.wav|Good bye.\n");
  make_corpus({.folder = parent / "a", .transcripts = file, .voices = {"kal16"}});
  const auto read = dataset::read_corpus(parent / "a", {});
  EXPECT_EQ(read.format, dataset::Format::ljspeech);
  EXPECT_THAT(read.faults, IsEmpty());
  EXPECT_EQ(read.utterances.size(), 2u);
}

TEST(MakeCorpus, CutShortGoesOnWhereItStood) {
  const TemporaryFolder parent;
  make_corpus(small(parent / "whole"));
  auto options = small(parent / "cut");
  make_corpus(options);
  std::filesystem::remove(parent / "cut/metadata.csv");
  std::filesystem::remove(parent / "cut/wavs/clip-000002.wav");
  std::filesystem::resize_file(parent / "cut/wavs/clip-000003.wav", 1000);
  parent.write("cut/wavs/clip-000004.wav.part", "half");
  const auto report = make_corpus(options);
  EXPECT_EQ(report.kept, 4u);
  EXPECT_EQ(report.clips, 6u);
  std::filesystem::remove(parent / "cut/wavs/clip-000004.wav.part");
  EXPECT_EQ(content(parent / "whole"), content(parent / "cut"));
}

TEST(MakeCorpus, ForceMakesEveryClipAnew) {
  const TemporaryFolder parent;
  auto options = small(parent / "a");
  make_corpus(options);
  options.seed = 3;
  EXPECT_THAT(error_message([&] { make_corpus(options); }), HasSubstr("seed: 0 then, 3 now"));
  options.force = true;
  EXPECT_EQ(make_corpus(options).kept, 0u);
}

TEST(MakeCorpus, ForcedRunThatWasCutShortLeavesNoClipOfTheOtherCorpus) {
  const TemporaryFolder parent;
  auto options = small(parent / "whole");
  options.seed = 3;
  make_corpus(options);
  make_corpus(small(parent / "a"));
  options.folder = parent / "a";
  options.threads = 1;
  options.force = true;
  const auto in_the_way = parent / "a/wavs/clip-000003.wav.part";
  std::filesystem::create_directory(in_the_way);
  EXPECT_THAT(error_message([&] { make_corpus(options); }), HasSubstr("clip-000003"));
  std::filesystem::remove(in_the_way);
  options.force = false;
  EXPECT_EQ(make_corpus(options).kept, 2u);
  EXPECT_EQ(content(parent / "whole"), content(parent / "a"));
}

TEST(MakeCorpus, BadOptionsAreRefusedBeforeAnythingIsWritten) {
  const TemporaryFolder parent;
  const auto refused = [&](auto change) {
    auto options = small(parent / "a");
    change(options);
    return error_message([&] { make_corpus(options); });
  };
  EXPECT_THAT(refused([](auto& o) { o.sample_rate = 100; }), HasSubstr("8000 to 96000 Hz"));
  EXPECT_THAT(refused([](auto& o) { o.clips = 0; }), HasSubstr("at least 1"));
  EXPECT_THAT(refused([](auto& o) { o.voices = {"slv"}; }), HasSubstr("did you mean 'slt'"));
  EXPECT_THAT(refused([](auto& o) { o.language = "de"; }), HasSubstr("--transcripts"));
  EXPECT_THAT(refused([&](auto& o) { o.transcripts = parent / "none.csv"; }),
              HasSubstr("none.csv"));
  EXPECT_FALSE(std::filesystem::exists(parent / "a"));
}

TEST(MakeCorpus, NothingThatCanBeSaidIsAnError) {
  const TemporaryFolder parent;
  const auto file = parent.write("t.txt", "سلام\n");
  EXPECT_THAT(error_message([&] {
                make_corpus({.folder = parent / "a", .transcripts = file, .voices = {"kal16"}});
              }),
              HasSubstr("none of 1 lines could be said"));
}

TEST(CorpusVerb, ReportsWhatItMade) {
  const TemporaryFolder parent;
  const auto result = run_seda("corpus --clips 3 --json --voices kal16 out", parent.path());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json json = parse_json(result.out, "stdout");
  EXPECT_EQ(json["clips"], 3);
  EXPECT_EQ(json["layout"], "ljspeech");
  EXPECT_EQ(json["path"], "out");
  EXPECT_EQ(json["voices"], Json({"kal16"}));
  EXPECT_TRUE(json["skipped"].empty());
  EXPECT_GT(json["hours"].get<double>(), 0);
  EXPECT_GT(json["times_real_time"].get<double>(), 0);
}

TEST(CorpusVerb, ExitCodesTellUsageFromFailure) {
  const TemporaryFolder parent;
  parent.write("file", "x");
  EXPECT_EQ(run_seda("corpus", parent.path()).exit_code, 2);
  EXPECT_EQ(run_seda("corpus file", parent.path()).exit_code, 2);
  EXPECT_EQ(run_seda("corpus out --voices nobody", parent.path()).exit_code, 2);
  EXPECT_EQ(run_seda("corpus out --layout flat", parent.path()).exit_code, 2);
  EXPECT_EQ(run_seda("corpus out --num-workers 0", parent.path()).exit_code, 2);
  EXPECT_EQ(run_seda("corpus out --transcripts absent.txt", parent.path()).exit_code, 3);
  EXPECT_EQ(run_seda("corpus file/out", parent.path()).exit_code, 3);
}

TEST(CorpusVerb, CtrlCAndKillLoseNothingThatWasMade) {
  const TemporaryFolder parent;
  const std::string line = "corpus out --clips 24 --voices slt --num-workers 2";
  const auto stopped =
      run_seda(line + " & pid=$!; sleep 0.4; kill -INT $pid; wait $pid", parent.path());
  if (stopped.exit_code == 0) GTEST_SKIP() << "the machine was too fast to be stopped";
  EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_FALSE(std::filesystem::exists(parent / "out/metadata.csv"));
  run_seda(line + " & pid=$!; sleep 0.2; kill -KILL $pid; wait $pid", parent.path());
  const auto result = run_seda(line + " --json", parent.path());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(parse_json(result.out, "stdout")["clips"], 24);
  EXPECT_THAT(dataset::read_corpus(parent / "out", {}).faults, IsEmpty());
  auto options = small(parent / "again");
  options.clips = 24;
  options.voices = {"slt"};
  make_corpus(options);
  EXPECT_EQ(content(parent / "out"), content(parent / "again"));
}

}  // namespace
}  // namespace seda::corpus
