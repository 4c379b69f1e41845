// SPDX-License-Identifier: Apache-2.0
// Preparing on several machines, and tidying what was prepared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/json.h"
#include "tests/support/run_program.h"
#include "tests/support/small_wav.h"

namespace seda::cli {
namespace {

using testing::HasSubstr;
using testing_support::run_seda;
using testing_support::TemporaryFolder;

class Prepared : public testing::Test {
 protected:
  Prepared() {
    std::string metadata;
    for (int i = 0; i < 30; ++i) {
      const std::string id = "c" + std::to_string(100 + i);
      metadata += id + "|Sentence number " + std::to_string(i) + " stands in this line.\n";
      folder_.write("corpus/wavs/" + id + ".wav", testing_support::small_wav(i));
    }
    folder_.write("corpus/metadata.csv", metadata);
    folder_.write("letters.yaml", "data: {text: {phonemes: false}}\n");
  }

  Json json(const std::string& arguments) const {
    const auto result = run_seda(arguments + " --json", folder_.path());
    EXPECT_EQ(result.exit_code, 0) << arguments << ": " << result.err;
    return parse_json(result.out, "stdout");
  }

  const TemporaryFolder folder_;
};

TEST_F(Prepared, ShardsMergeIntoACacheThatIsWhole) {
  for (const char* shard : {"0/3", "1/3", "2/3"})
    EXPECT_EQ(json("prepare corpus --shard " + std::string(shard))["clips"], 10);
  EXPECT_EQ(json("cache merge corpus")["records_added"], 60) << "a text and a sound of each";
  const Json prepared = json("prepare corpus");
  EXPECT_EQ(prepared["text_hits"], 30);
  EXPECT_EQ(prepared["text_built"], 0);
  EXPECT_EQ(prepared["audio_hits"], 30);
  EXPECT_EQ(prepared["audio_built"], 0);
  EXPECT_EQ(json("cache stat corpus")["clips"], 30);
}

TEST_F(Prepared, ClearingRemovesTheShardsToo) {
  json("prepare corpus --shard 0/2");
  json("prepare corpus --shard 1/2");
  json("cache merge corpus");
  folder_.write("corpus/.seda/shards/notes.txt", "mine");
  const Json cleared = json("cache clear corpus --yes");
  EXPECT_GE(cleared["files"], 9) << "two parts, a manifest and a lock of each";
  EXPECT_EQ(cleared["folder_removed"], false);
  EXPECT_THAT(testing_support::read_file(folder_ / "corpus/.seda/shards/notes.txt"), "mine");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "corpus/.seda/shards/0-of-2"));
  EXPECT_EQ(run_seda("cache clear corpus --yes", folder_.path()).exit_code, 3);
  std::filesystem::remove(folder_ / "corpus/.seda/shards/notes.txt");
  json("prepare corpus --shard 0/2");
  EXPECT_EQ(json("cache clear corpus --yes")["folder_removed"], true) << "shards alone";
}

TEST_F(Prepared, MergingNothingSaysWhatToDo) {
  json("prepare corpus");
  const auto result = run_seda("cache merge corpus", folder_.path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--shard i/n"));
}

TEST_F(Prepared, GarbageIsWhatTheLastPrepareDoesNotUse) {
  json("prepare corpus");
  json("prepare corpus --config letters.yaml");
  EXPECT_EQ(json("cache stat corpus")["tables"].size(), 5u) << "the sounds are shared";
  EXPECT_EQ(json("cache gc corpus")["tables_dropped"], 2);
  EXPECT_EQ(json("prepare corpus --config letters.yaml")["text_built"], 0);
  EXPECT_EQ(json("prepare corpus --config letters.yaml")["audio_built"], 0);
  EXPECT_EQ(json("prepare corpus")["text_built"], 30) << "the other configuration's are gone";
}

TEST_F(Prepared, RecordsOfChangedLinesAreGarbage) {
  json("prepare corpus");
  const std::string metadata = testing_support::read_file(folder_ / "corpus/metadata.csv");
  folder_.write("corpus/metadata.csv",
                "c100|Changed.\n" + metadata.substr(metadata.find('\n') + 1));
  json("prepare corpus");
  EXPECT_GE(json("cache gc corpus")["records_dropped"], 1);
  EXPECT_EQ(json("prepare corpus")["text_built"], 0);
  EXPECT_EQ(json("cache verify corpus")["bad"].size(), 0u);
}

TEST_F(Prepared, ADamagedRecordIsNamedByItsClip) {
  json("prepare corpus");
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder_ / "corpus/.seda")) {
    std::string bytes = testing_support::read_file(entry.path());
    const size_t at = bytes.find("Sentence number nineteen");
    if (!entry.is_regular_file() || at == std::string::npos) continue;
    bytes[at] = 'X';
    folder_.write(std::filesystem::relative(entry.path(), folder_.path()).string(), bytes);
  }
  const auto result = run_seda("cache verify corpus --json", folder_.path());
  EXPECT_EQ(result.exit_code, 1);
  const Json report = parse_json(result.out, "stdout");
  ASSERT_EQ(report["bad"].size(), 1u);
  EXPECT_EQ(report["bad"][0]["id"], "c119");
  EXPECT_EQ(json("cache gc corpus --repair")["damaged"].size(), 1u);
  const Json again = json("prepare corpus");
  EXPECT_EQ(again["text_built"], 1);
  EXPECT_EQ(again["reasons"]["text: record lost"], 1);
}

TEST_F(Prepared, ADamagedSoundIsNamedByItsClip) {
  json("prepare corpus --preprocessing-mode on_the_fly");
  const std::string samples = testing_support::small_wav(19).substr(44);
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "corpus/.seda")) {
    std::string bytes = testing_support::read_file(entry.path());
    const size_t at = bytes.find(samples);
    if (at == std::string::npos) continue;
    bytes[at + 100] = static_cast<char>(bytes[at + 100] ^ 1);
    folder_.write("corpus/.seda/" + entry.path().filename().string(), bytes);
  }
  const auto result = run_seda("cache verify corpus --json", folder_.path());
  EXPECT_EQ(result.exit_code, 1);
  const Json report = parse_json(result.out, "stdout");
  ASSERT_EQ(report["bad"].size(), 1u);
  EXPECT_EQ(report["bad"][0]["id"], "c119");
  EXPECT_EQ(report["bad"][0]["table"], "audio");
  json("cache gc corpus --repair");
  const Json again = json("prepare corpus --preprocessing-mode on_the_fly");
  EXPECT_EQ(again["audio_built"], 1);
  EXPECT_EQ(again["reasons"]["audio: record lost"], 1);
}

}  // namespace
}  // namespace seda::cli
