// SPDX-License-Identifier: Apache-2.0
// `seda prepare` as people call it: summary, exit codes, kills.
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

namespace seda::cli {
namespace {

using testing::HasSubstr;
using testing_support::run_seda;
using testing_support::TemporaryFolder;

void write_corpus(const TemporaryFolder& folder, int clips) {
  std::string metadata;
  for (int i = 0; i < clips; ++i) {
    const std::string id = "c" + std::to_string(10000 + i);
    metadata +=
        id + "|The clip with the number " + std::to_string(i) + " says this, and no more.\n";
    folder.write("corpus/wavs/" + id + ".wav", "sound");
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
  EXPECT_EQ(json["reasons"]["no cache"], 5);
  EXPECT_EQ(json["language_cache"]["misses"], 5);
}

TEST(PrepareVerb, WithoutACorpusNamesTheKey) {
  const auto result = run_seda("prepare");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("data.dataset_path"));
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

/// Starts `seda prepare corpus` in the folder and sends it a signal after `delay_us`.
int run_and_signal(const TemporaryFolder& folder, int signal, useconds_t delay_us) {
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
  usleep(delay_us);
  kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(PrepareVerb, KilledAtAnyMomentKeepsWhatWasSealed) {
  const TemporaryFolder folder;
  write_corpus(folder, 400);
  Random random(11);
  uint64_t sealed = 0;
  for (int round = 0; round < 15; ++round) {
    run_and_signal(folder, SIGKILL, static_cast<useconds_t>(random.below(120'000)));
    const auto cache = cache::Cache::open(folder / "corpus/.seda", {.verify = true});
    if (!cache) continue;
    for (const cache::Table* table : cache->tables()) {
      if (table->name() != "text") continue;
      EXPECT_GE(table->size(), sealed) << "sealed records were lost";
      sealed = table->size();
      EXPECT_EQ(table->for_each([&](const cache::Entry& entry) {
        EXPECT_TRUE(table->read(entry.address).ok());
      }),
                0u);
    }
  }
  const auto last = run_seda("prepare corpus --json", folder.path());
  EXPECT_EQ(last.exit_code, 0) << last.err;
  EXPECT_EQ(parse_json(last.out, "stdout")["text_hits"], sealed);
}

TEST(PrepareVerb, CtrlCEndsWith130AndTheNextRunGoesOn) {
  const TemporaryFolder folder;
  write_corpus(folder, 3000);
  const int code = run_and_signal(folder, SIGINT, 100'000);
  EXPECT_TRUE(code == 130 || code == 0) << code;
  const auto next = run_seda("prepare corpus --json", folder.path());
  EXPECT_EQ(next.exit_code, 0) << next.err;
  EXPECT_EQ(parse_json(next.out, "stdout")["clips"], 3000);
}

}  // namespace
}  // namespace seda::cli
