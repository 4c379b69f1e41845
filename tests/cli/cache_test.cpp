// SPDX-License-Identifier: Apache-2.0
// `seda cache stat|verify|gc|clear|merge`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/json.h"
#include "tests/cache/support.h"
#include "tests/support/run_program.h"

namespace seda::cli {
namespace {

using namespace cache::testing_support;
using cache::Cache;
using cache::Writer;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::ProgramResult;
using testing_support::run_seda;
namespace fs = std::filesystem;

/// `seda cache ARGUMENTS` in `folder`, without a terminal.
ProgramResult run_cache(const std::string& arguments, const TemporaryFolder& folder) {
  return run_seda("cache " + arguments + " </dev/null", folder.path());
}

Json json_of(const ProgramResult& result) {
  return parse_json(result.out, "stdout");
}

void flip(const fs::path& file, size_t at) {
  std::string bytes = read_file(file);
  bytes.at(at) = static_cast<char>(bytes[at] ^ 1);
  write_bytes(file, bytes);
}

/// A corpus folder whose cache has tables as `prepare` would make them.
void write_corpus(const fs::path& corpus) {
  Writer writer(corpus / ".seda", quiet_writer());
  const Json audio = {{"mel", {{"n_mels", 80}}}};
  const Json text = {{"tokenizer", {{"kind", "phonemes"}, {"symbols", 70}, {"hash", "ab"}}}};
  for (uint64_t i = 0; i < 10; ++i) {
    append_text(writer.table("audio", audio), key_of(i), content_of(i, 100));
    append_text(writer.table("text", text), key_of(i), content_of(i, 10));
    if (i % 3 == 0) writer.seal();
  }
  writer.seal();
}

TEST(CacheStat, ShowsWhatIsThere) {
  const TemporaryFolder folder;
  write_corpus(folder / "corpus");
  const auto result = run_cache("stat corpus --json", folder);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json stat = json_of(result);
  EXPECT_TRUE(stat["clips"].is_null());
  EXPECT_TRUE(stat["hours"].is_null());
  EXPECT_EQ(stat["mel"]["n_mels"], 80);
  EXPECT_EQ(stat["tokenizer"]["symbols"], 70);
  EXPECT_EQ(stat["parts"], 8);
  EXPECT_GT(stat["bytes"], 1100);
  EXPECT_GT(stat["open_ms"], 0.0);
  EXPECT_EQ(stat["tables"][0]["records"], 10);
  EXPECT_THAT(run_cache("stat corpus", folder).out,
              AllOf(HasSubstr("in 8 parts"), HasSubstr("mel        n_mels 80\n"),
                    HasSubstr("tokenizer  kind phonemes, symbols 70, hash ab\n"),
                    HasSubstr("clips      not known")));
  run_cache("gc corpus", folder);
  EXPECT_THAT(run_cache("stat corpus", folder).out, HasSubstr(" in 1 part\n"));
}

TEST(CacheStat, FindsTheCacheByEveryWayOfNamingIt) {
  const TemporaryFolder folder;
  write_corpus(folder / "corpus");
  fs::create_directory(folder / "elsewhere");
  folder.write("a.yaml", "data:\n  cache_dir: corpus/.seda\n");
  folder.write("b.yaml", "data:\n  dataset_path: corpus\n");
  for (const char* arguments :
       {"corpus", "corpus/.seda", "--cache-dir corpus/.seda", "elsewhere --cache-dir corpus/.seda",
        "--config a.yaml", "elsewhere --config a.yaml", "--config b.yaml"}) {
    const auto result = run_cache(fmt::format("stat {} --json", arguments), folder);
    EXPECT_EQ(result.exit_code, 0) << arguments << ": " << result.err;
  }
}

TEST(CacheStat, SaysThatThereIsNone) {
  const TemporaryFolder folder;
  const auto none = run_cache("stat corpus", folder);
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_THAT(none.err, AllOf(HasSubstr("corpus/.seda holds no cache"), HasSubstr("prepare")));
  const auto unnamed = run_cache("stat", folder);
  EXPECT_EQ(unnamed.exit_code, 2);
  EXPECT_THAT(unnamed.err, HasSubstr("data.dataset_path"));
}

TEST(CacheVerify, ASoundCachePasses) {
  const TemporaryFolder folder;
  write_corpus(folder / "corpus");
  const auto result = run_cache("verify corpus --json", folder);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json_of(result)["records"], 20);
  EXPECT_THAT(json_of(result)["bad"], IsEmpty());
  EXPECT_EQ(json_of(run_cache("verify corpus --sample 5 --json", folder))["records"], 5);
  EXPECT_EQ(run_cache("verify corpus --sample 0", folder).exit_code, 2);
}

TEST(CacheVerify, DamageIsListedAndFailsTheCheck) {
  const TemporaryFolder folder;
  const auto oracle = write_cache(folder / "cache", 10);
  const auto part = part_files(folder / "cache").front();
  flip(part, 64);
  const auto result = run_cache("verify cache --json", folder);
  EXPECT_EQ(result.exit_code, 1);
  const Json bad = json_of(result)["bad"];
  ASSERT_EQ(bad.size(), 1U);
  EXPECT_EQ(bad[0]["part"], part.filename().string());
  EXPECT_EQ(bad[0]["id"].get<std::string>().size(), 32U);
  EXPECT_THAT(bad[0]["evidence"].get<std::string>(), HasSubstr("checksum"));
  EXPECT_THAT(result.err, HasSubstr("gc --repair"));
}

TEST(CacheGc, JoinsPartsAndRepairsOnRequest) {
  const TemporaryFolder folder;
  write_corpus(folder / "corpus");
  const Json joined = json_of(run_cache("gc corpus --json", folder));
  EXPECT_EQ(joined["parts_before"], 8);
  EXPECT_EQ(joined["parts_after"], 2);
  EXPECT_EQ(joined["records_dropped"], 0);
  flip(part_files(folder / "corpus/.seda").front(), 64);
  EXPECT_EQ(json_of(run_cache("gc corpus --repair --json", folder))["damaged"].size(), 1U);
  EXPECT_EQ(run_cache("verify corpus", folder).exit_code, 0);
}

TEST(CacheGc, MakesNoCacheWhereThereIsNone) {
  const TemporaryFolder folder;
  EXPECT_EQ(run_cache("gc corpus", folder).exit_code, 3);
  EXPECT_FALSE(fs::exists(folder / "corpus"));
}

TEST(CacheGc, SaysWhoHoldsTheCache) {
  const TemporaryFolder folder;
  write_corpus(folder / "corpus");
  const Writer writer(folder / "corpus/.seda");
  const auto result = run_cache("gc corpus", folder);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr(fmt::format("process {}", getpid())));
}

TEST(CacheClear, NeedsYesWithoutATerminal) {
  const TemporaryFolder folder;
  write_corpus(folder / "corpus");
  folder.write("corpus/metadata.csv", "mine");
  const auto refused = run_cache("clear corpus", folder);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--yes"));
  EXPECT_TRUE(fs::exists(folder / "corpus/.seda"));
  const Json cleared = json_of(run_cache("clear corpus --yes --json", folder));
  EXPECT_EQ(cleared["files"], 10);
  EXPECT_EQ(cleared["folder_removed"], true);
  EXPECT_FALSE(fs::exists(folder / "corpus/.seda"));
  EXPECT_EQ(read_file(folder / "corpus/metadata.csv"), "mine");
  const auto none = run_cache("clear corpus --yes", folder);
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_THAT(none.err, HasSubstr("holds no cache; nothing was removed"));
}

TEST(CacheMerge, JoinsShardsAndNamesConflicts) {
  const TemporaryFolder folder;
  write_corpus(folder / "a");
  write_cache(folder / "b", 5);
  const Json merged = json_of(run_cache("merge all a b --json", folder));
  EXPECT_EQ(merged["records_added"], 25);
  EXPECT_TRUE(Cache::open(folder / "all/.seda").has_value());
  write_cache(folder / "c", 5, 99);
  const auto conflict = run_cache("merge all c --json", folder);
  EXPECT_EQ(conflict.exit_code, 1);
  EXPECT_EQ(json_of(conflict)["faults"].size(), 5U);
  EXPECT_EQ(json_of(conflict)["faults"][0]["code"], "cache_conflict");
  EXPECT_EQ(run_cache("merge all nowhere", folder).exit_code, 3);
}

}  // namespace
}  // namespace seda::cli
