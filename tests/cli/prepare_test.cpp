// SPDX-License-Identifier: Apache-2.0
// `seda prepare` as people call it: summary, exit codes, kills.
#include <filesystem>
#include <functional>
#include <map>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "seda/base/json.h"
#include "seda/base/random.h"
#include "seda/cache/cache.h"
#include "tests/support/run_program.h"
#include "tests/support/small_wav.h"

namespace seda::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_support::run_seda;
using testing_support::TemporaryFolder;

void write_corpus(const TemporaryFolder& folder, int clips) {
  std::string metadata;
  for (int i = 0; i < clips; ++i) {
    const std::string id = "c" + std::to_string(10000 + i);
    metadata +=
        id + "|The clip with the number " + std::to_string(i) + " says this, and no more.\n";
    folder.write("corpus/wavs/" + id + ".wav", testing_support::small_wav(i));
  }
  folder.write("corpus/metadata.csv", metadata);
}

TEST(PrepareVerb, PrintsTheLinesPeopleLookFor) {
  const TemporaryFolder folder;
  write_corpus(folder, 20);
  const auto first = run_seda("prepare corpus --num-workers 2", folder.path());
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.err, HasSubstr("BUILDING CACHE: 20 clips, 2 workers, because: no cache\n"));
  EXPECT_THAT(first.err, HasSubstr("CACHE SAVED: 20 clips in "));
  const auto second = run_seda("prepare corpus", folder.path());
  EXPECT_THAT(second.err, HasSubstr("CACHE LOADED: 20 clips in "));
}

TEST(PrepareVerb, ACacheThatCannotBeMadeIsNamedWithTheFlagThatHelps) {
  const TemporaryFolder folder;
  write_corpus(folder, 2);
  const auto result = run_seda("prepare corpus --cache-dir corpus/metadata.csv/x", folder.path());
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("error: cannot write the cache corpus/metadata.csv/x: "));
  EXPECT_THAT(result.err, HasSubstr("; name a folder with --cache-dir\n"));
  folder.write("utf16/metadata.csv", std::string_view("\xff\xfe"
                                                      "a\0|\0b\0\n\0",
                                                      10));
  EXPECT_THAT(run_seda("prepare utf16", folder.path()).err,
              AllOf(HasSubstr("found UTF-16"), Not(HasSubstr("--cache-dir"))));
}

TEST(PrepareVerb, JsonHasWhatScriptsRelyOn) {
  const TemporaryFolder folder;
  write_corpus(folder, 5);
  const auto result = run_seda("prepare corpus --json", folder.path());
  const Json json = parse_json(result.out, "stdout");
  for (const char* field :
       {"clips", "hours", "text_hits", "text_built", "audio_hits", "audio_built", "reasons",
        "faults", "language_cache", "normalization_cache", "text_seconds", "audio_seconds",
        "seconds", "bytes"})
    EXPECT_TRUE(json.contains(field)) << field;
  EXPECT_EQ(json["clips"], 5);
  EXPECT_EQ(json["audio_built"], 5);
  EXPECT_EQ(json["reasons"]["no cache"], 5);
  EXPECT_EQ(json["language_cache"]["misses"], 5);
}

TEST(PrepareVerb, TheErrorComesAfterTheReportInOneStream) {
  const TemporaryFolder folder;
  folder.write("corpus/metadata.csv", "a|A clip without its sound.\n");
  const auto result = run_seda("prepare corpus 2>&1", folder.path());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_GT(result.out.find("error: no clip"), result.out.find("faults     1"));
}

TEST(PrepareVerb, RefusesTwoCorpora) {
  const TemporaryFolder folder;
  write_corpus(folder, 1);
  for (const char* verb : {"prepare", "train", "validate", "cache stat", "profile data"}) {
    const auto result = run_seda(std::string(verb) + " corpus --train-data other", folder.path());
    EXPECT_EQ(result.exit_code, 2) << verb;
    EXPECT_THAT(result.err,
                HasSubstr("the argument corpus and --train-data other both name the corpus"))
        << verb;
  }
}

TEST(PrepareVerb, WithoutACorpusNamesTheKey) {
  const auto result = run_seda("prepare");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("data.dataset_path"));
}

TEST(PrepareVerb, AFolderWithoutACorpusIsBadUsage) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "empty");
  for (const char* name : {"empty", "nowhere"}) {
    const auto result = run_seda(std::string("prepare ") + name, folder.path());
    EXPECT_EQ(result.exit_code, 2) << name;
    EXPECT_THAT(result.err, HasSubstr(name));
  }
}

TEST(PrepareVerb, TellsOfRepeatedLinesAndOfTimesWhereThereAreAny) {
  const TemporaryFolder folder;
  folder.write("corpus/metadata.csv", "a|The same line.\nb|The same line.\n");
  for (const char* id : {"a", "b"})
    folder.write(std::string("corpus/wavs/") + id + ".wav", testing_support::small_wav(1));
  const auto first = run_seda("prepare corpus --num-workers 1", folder.path());
  EXPECT_THAT(first.out, HasSubstr("\nrepeats    language known of 1 of 2 lines, "));
  EXPECT_THAT(first.out, HasSubstr(" in all, text "));
  const auto second = run_seda("prepare corpus", folder.path());
  EXPECT_THAT(second.out, Not(HasSubstr("repeats")));
  EXPECT_THAT(second.out, Not(HasSubstr("in all, text")));
}

TEST(PrepareVerb, TooManyBadClipsEndWithOne) {
  const TemporaryFolder folder;
  write_corpus(folder, 10);
  std::filesystem::remove(folder / "corpus/wavs/c10003.wav");
  const auto result = run_seda("prepare corpus", folder.path());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("metadata.csv:4"));
  EXPECT_THAT(result.err, HasSubstr("data.max_fault_share"));
}

TEST(PrepareVerb, ACorpusWithoutOneGoodClipEndsWithOne) {
  const TemporaryFolder folder;
  folder.write("corpus/metadata.csv", "a|One.\nb|Two.\n");
  const auto result = run_seda("prepare corpus", folder.path());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("audio_missing"));
  EXPECT_THAT(result.err, HasSubstr("no clip of the corpus can be used"));
}

TEST(PrepareVerb, ACacheFolderThatIsAFileIsNamed) {
  const TemporaryFolder folder;
  write_corpus(folder, 3);
  folder.write("taken", "a file");
  const auto result = run_seda("prepare corpus --cache-dir taken", folder.path());
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("taken"));
}

TEST(PrepareVerb, ADryRunShowsAndWritesNothing) {
  const TemporaryFolder folder;
  write_corpus(folder, 10);
  const auto result = run_seda("prepare corpus --dry-run", folder.path());
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("10 to read"));
  EXPECT_THAT(result.out, HasSubstr("example    c10000"));
  EXPECT_FALSE(std::filesystem::exists(folder / "corpus/.seda"));
}

TEST(PrepareVerb, ReportsWhatWasDoneToTheSounds) {
  const TemporaryFolder folder;
  write_corpus(folder, 10);
  const auto first = run_seda("prepare corpus --preprocessing-mode precompute", folder.path());
  EXPECT_THAT(first.out, HasSubstr("audio      0 kept, 10 read as mel ("));
  EXPECT_THAT(first.out, HasSubstr("x real time)"));
  const auto second = run_seda("prepare corpus --preprocessing-mode precompute", folder.path());
  EXPECT_THAT(second.out, HasSubstr("audio      10 kept, 0 read as mel\n"));
  const auto third =
      run_seda("prepare corpus --preprocessing-mode on_the_fly --sample-rate 16000", folder.path());
  EXPECT_THAT(third.out, HasSubstr("10 read as pcm16"));
  EXPECT_THAT(third.out, HasSubstr("10 resampled"));
  EXPECT_THAT(third.err, HasSubstr("because: audio: kind mel -> pcm16\n"));
}

TEST(PrepareVerb, FilesAreKnownByTheirBytesWhereAsked) {
  const TemporaryFolder folder;
  write_corpus(folder, 5);
  run_seda("prepare corpus --hash content", folder.path());
  testing_support::run_shell("touch corpus/wavs/*.wav", folder.path());
  const auto again = run_seda("prepare corpus --hash content --json", folder.path());
  EXPECT_EQ(parse_json(again.out, "stdout")["audio_hits"], 5);
  EXPECT_EQ(run_seda("prepare corpus --hash bytes", folder.path()).exit_code, 2);
}

TEST(PrepareVerb, ABadSoundIsNamedByEveryRun) {
  const TemporaryFolder folder;
  write_corpus(folder, 10);
  folder.write("corpus/wavs/c10003.wav", "sound");
  folder.write("seda.yaml", "data: {max_fault_share: 0.2}\n");
  for (int run = 0; run < 2; ++run) {
    const auto result = run_seda("prepare corpus --json", folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const Json json = parse_json(result.out, "stdout");
    EXPECT_EQ(json["clips"], 9);
    EXPECT_EQ(json["audio_built"], run == 0 ? 10 : 0);
    ASSERT_EQ(json["faults"].size(), 1u);
    EXPECT_EQ(json["faults"][0]["id"], "c10003");
    EXPECT_EQ(json["faults"][0]["code"], "audio_format");
    EXPECT_THAT(json["faults"][0]["evidence"].get<std::string>(),
                HasSubstr("metadata.csv:4: wavs/c10003.wav: "));
  }
}

TEST(PrepareVerb, TheCacheSaysHowSoundIsKept) {
  const TemporaryFolder folder;
  write_corpus(folder, 5);
  for (const std::string mode : {"precompute", "on_the_fly"}) {
    run_seda("prepare corpus --n-mels 64 --preprocessing-mode " + mode, folder.path());
    const Json stat = parse_json(run_seda("cache stat corpus --json", folder.path()).out, "stdout");
    EXPECT_EQ(stat["audio"], mode == "precompute" ? "mel" : "pcm16");
    EXPECT_EQ(stat["mel"]["n_mels"], 64);
    EXPECT_EQ(stat["clips"], 5);
    EXPECT_DOUBLE_EQ(stat["hours"].get<double>(), 0.5 / 3600);
  }
}

/// Starts `seda prepare corpus` in the folder and sends it a signal once `wait` returns.
int run_and_signal(const TemporaryFolder& folder, int signal, const std::function<void()>& wait) {
  const std::string program = (program_root() / "bin/seda").string();
  const pid_t child = fork();
  if (child == 0) {
    if (chdir(folder.path().c_str()) != 0) _exit(99);
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDERR_FILENO);
    dup2(null, STDOUT_FILENO);
    execl(program.c_str(), "seda", "prepare", "corpus", "--num-workers", "2", nullptr);
    _exit(99);
  }
  wait();
  kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(PrepareVerb, KilledAtAnyMomentKeepsWhatWasSealed) {
  const TemporaryFolder folder;
  write_corpus(folder, 400);
  Random random(11);
  std::map<std::string, uint64_t> sealed;  // by table
  for (int round = 0; round < 15; ++round) {
    const auto delay_us = static_cast<useconds_t>(random.below(120'000));
    run_and_signal(folder, SIGKILL, [=] { usleep(delay_us); });
    const auto cache = cache::Cache::open(folder / "corpus/.seda", {.verify = true});
    if (!cache) continue;
    for (const cache::Table* table : cache->tables()) {
      if (table->name() == "clips") continue;
      EXPECT_GE(table->size(), sealed[table->name()]) << "sealed records were lost";
      sealed[table->name()] = table->size();
      EXPECT_EQ(table->for_each([&](const cache::Entry& entry) {
        EXPECT_TRUE(table->read(entry.address).ok());
      }),
                0u);
    }
  }
  const auto last = run_seda("prepare corpus --json", folder.path());
  EXPECT_EQ(last.exit_code, 0) << last.err;
  const Json json = parse_json(last.out, "stdout");
  EXPECT_EQ(json["text_hits"], sealed["text"]);
  EXPECT_EQ(json["audio_hits"], sealed["audio"]);
  EXPECT_EQ(json["clips"], 400);
}

TEST(PrepareVerb, CtrlCEndsWith130AndTheNextRunGoesOn) {
  const TemporaryFolder folder;
  write_corpus(folder, 3000);
  const auto work_began = [&] {
    for (int i = 0; i < 60'000 && !std::filesystem::exists(folder / "corpus/.seda/LOCK"); ++i)
      usleep(1000);
  };
  const int code = run_and_signal(folder, SIGINT, work_began);
  EXPECT_TRUE(code == 130 || code == 0) << code;
  const auto next = run_seda("prepare corpus --json", folder.path());
  EXPECT_EQ(next.exit_code, 0) << next.err;
  EXPECT_EQ(parse_json(next.out, "stdout")["clips"], 3000);
}

}  // namespace
}  // namespace seda::cli
