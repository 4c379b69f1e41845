// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/cache/verify.h"
#include "tests/cache/support.h"
#include "tests/support/error_message.h"

namespace seda::cache {
namespace {

using namespace testing_support;
using seda::testing_support::error_message;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

using Paths = std::vector<std::filesystem::path>;

void write_records(const std::filesystem::path& folder, const Oracle& records,
                   const Json& description = kDescription) {
  Writer writer(folder, quiet_writer());
  for (const auto& [key, text] : records)
    append_text(writer.table("audio", description), key, text);
  writer.seal();
}

TEST(Merge, JoinsShards) {
  const TemporaryFolder folder;
  Oracle all;
  Paths shards;
  for (uint64_t shard = 0; shard < 3; ++shard) {
    Oracle part;
    for (uint64_t i = shard; i < 60; i += 3)
      part[key_of(i)] = content_of(i, i * 3);
    shards.push_back(folder / fmt::format("shard{}", shard));
    write_records(shards.back(), part);
    all.insert(part.begin(), part.end());
  }
  Writer writer(folder / "all", quiet_writer());
  const auto report = merge(writer, shards);
  EXPECT_EQ(report.records_added, 60U);
  EXPECT_EQ(report.records_shared, 0U);
  EXPECT_THAT(report.faults, IsEmpty());
  EXPECT_EQ(contents(folder / "all"), all);
  const auto again = merge(writer, shards);
  EXPECT_EQ(again.records_added, 0U);
  EXPECT_EQ(again.records_shared, 60U);
  EXPECT_EQ(contents(folder / "all"), all);
}

TEST(Merge, KeepsShapes) {
  const TemporaryFolder folder;
  const std::vector<float> mel(12, 1.5F);
  {
    Writer writer(folder / "a", quiet_writer());
    writer.table("audio", kDescription)
        .append(key_of(1), {std::as_bytes(std::span(mel)), {3, 4}, DataType::float32});
    writer.seal();
  }
  Writer writer(folder / "b", quiet_writer());
  merge(writer, Paths{folder / "a"});
  const auto entry = table_of(*Cache::open(folder / "b")).find(key_of(1));
  EXPECT_EQ(entry->dims, (Dims{3, 4}));
  EXPECT_EQ(entry->type, DataType::float32);
}

TEST(Merge, DifferentContentUnderOneKeyIsAFaultThatNamesBoth) {
  const TemporaryFolder folder;
  write_records(folder / "a", {{key_of(1), "same"}, {key_of(2), "from a"}});
  write_records(folder / "b", {{key_of(1), "same"}, {key_of(2), "from b!"}, {key_of(3), "b"}});
  Writer writer(folder / "all", quiet_writer());
  const auto report = merge(writer, Paths{folder / "a", folder / "b"});
  EXPECT_EQ(report.records_added, 3U);
  EXPECT_EQ(report.records_shared, 1U);
  ASSERT_EQ(report.faults.size(), 1U);
  EXPECT_EQ(report.faults[0].id, key_of(2).hex());
  EXPECT_EQ(report.faults[0].code, "cache_conflict");
  EXPECT_THAT(report.faults[0].evidence,
              AllOf(HasSubstr((folder / "a").string()), HasSubstr((folder / "b").string()),
                    HasSubstr("6 and 7 bytes")));
  EXPECT_EQ(contents(folder / "all"),
            (Oracle{{key_of(1), "same"}, {key_of(2), "from a"}, {key_of(3), "b"}}));
}

TEST(Merge, TablesMeetByDescription) {
  const TemporaryFolder folder;
  const Json other = {{"version", 2}};
  write_records(folder / "a", {{key_of(1), "one"}});
  write_records(folder / "b", {{key_of(1), "two"}}, other);
  Writer writer(folder / "all", quiet_writer());
  EXPECT_THAT(merge(writer, Paths{folder / "a", folder / "b"}).faults, IsEmpty());
  const auto cache = Cache::open(folder / "all");
  EXPECT_EQ(contents(table_of(*cache)), (Oracle{{key_of(1), "one"}}));
  EXPECT_EQ(contents(table_of(*cache, "audio", other)), (Oracle{{key_of(1), "two"}}));
}

TEST(Merge, LeavesOutTablesThatAreNotWanted) {
  const TemporaryFolder folder;
  write_records(folder / "a", {{key_of(1), "one"}});
  Writer writer(folder / "all", quiet_writer());
  merge(writer, Paths{folder / "a"},
        {.table = [](const std::string& name) { return name != "audio"; }, .progress = {}});
  EXPECT_TRUE(Cache::open(folder / "all")->tables().empty());
}

TEST(Merge, LeavesOutDamage) {
  const TemporaryFolder folder;
  Oracle oracle = write_cache(folder / "a", 10);
  const auto part = part_files(folder / "a").front();
  std::string bytes = read_file(part);
  bytes[64] = static_cast<char>(bytes[64] ^ 1);
  write_bytes(part, bytes);
  oracle.erase(*verify(folder / "a")->bad.at(0).key);
  Writer writer(folder / "all", quiet_writer());
  const auto report = merge(writer, Paths{folder / "a"});
  ASSERT_EQ(report.faults.size(), 1U);
  EXPECT_EQ(report.faults[0].code, "cache_damaged");
  EXPECT_THAT(report.faults[0].evidence, HasSubstr((folder / "a").string()));
  EXPECT_EQ(contents(folder / "all"), oracle);
}

TEST(Merge, RefusesSourcesThatAreNoCacheOrItself) {
  const TemporaryFolder folder;
  write_records(folder / "a", {{key_of(1), "one"}});
  Writer writer(folder / "all", quiet_writer());
  EXPECT_THAT(error_message([&] { merge(writer, Paths{folder / "a", folder / "none"}); }),
              HasSubstr("holds no cache"));
  EXPECT_THAT(error_message([&] { merge(writer, Paths{folder / "all"}); }), HasSubstr("itself"));
  EXPECT_TRUE(Cache::open(folder / "all")->tables().empty());
}

TEST(Merge, RefusesANewerFormat) {
  const TemporaryFolder folder;
  write_records(folder / "a", {{key_of(1), "one"}});
  std::string text = read_file(folder / "a/MANIFEST.json");
  text.replace(text.find("\"seda_cache\": 1"), 15, "\"seda_cache\": 2");
  write_bytes(folder / "a/MANIFEST.json", text);
  Writer writer(folder / "all", quiet_writer());
  EXPECT_THAT(error_message([&] { merge(writer, Paths{folder / "a"}); }), HasSubstr("newer seda"));
}

}  // namespace
}  // namespace seda::cache
