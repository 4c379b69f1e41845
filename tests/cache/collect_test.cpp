// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/collect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/cache/verify.h"
#include "tests/cache/support.h"

namespace seda::cache {
namespace {

using namespace testing_support;
using testing::IsEmpty;

/// `parts` parts of ten records each.
Oracle fill(Writer& writer, uint64_t parts) {
  Oracle oracle;
  for (uint64_t i = 0; i < parts * 10; ++i) {
    oracle[key_of(i)] = content_of(i, 100);
    append_text(writer.table("audio", kDescription), key_of(i), oracle[key_of(i)]);
    if (i % 10 == 9) writer.seal();
  }
  return oracle;
}

TEST(Collect, JoinsSmallParts) {
  const TemporaryFolder folder;
  Writer writer(folder.path(), quiet_writer());
  const Oracle oracle = fill(writer, 12);
  const auto report = collect(writer, {});
  EXPECT_EQ(report.parts_before, 12U);
  EXPECT_EQ(report.parts_after, 1U);
  EXPECT_EQ(report.records_dropped, 0U);
  EXPECT_GT(report.bytes_freed, 0U);
  EXPECT_EQ(contents(folder.path()), oracle);
  EXPECT_EQ(part_files(folder.path()).size(), 1U);
  EXPECT_EQ(collect(writer, {}).parts_after, 1U);
}

TEST(Collect, LeavesLargePartsAlone) {
  const TemporaryFolder folder;
  Writer writer(folder.path(), quiet_writer());
  const Oracle oracle = fill(writer, 3);
  const auto before = part_files(folder.path());
  EXPECT_EQ(collect(writer, {}, {.small_part_bytes = 10}).parts_after, 3U);
  EXPECT_THAT(part_files(folder.path()), testing::UnorderedElementsAreArray(before));
  EXPECT_EQ(contents(folder.path()), oracle);
}

TEST(Collect, NewPartsStayWithinTheirSize) {
  const TemporaryFolder folder;
  Writer writer(folder.path(), {.part_bytes = 5'000, .seal_seconds = 1e9});
  const Oracle oracle = fill(writer, 10);
  EXPECT_GT(collect(writer, {}).parts_after, 2U);
  EXPECT_EQ(contents(folder.path()), oracle);
}

TEST(Collect, DropsRecordsThatAreNotKept) {
  const TemporaryFolder folder;
  Writer writer(folder.path(), quiet_writer());
  Oracle oracle = fill(writer, 5);
  const auto is_odd = [](const Key& key) { return key.low % 2 == 1; };
  const auto dropped = std::erase_if(oracle, [&](const auto& item) { return is_odd(item.first); });
  const auto report = collect(
      writer, {.table = {}, .record = [&](const std::string&, const Hash128&, const Key& key) {
                 return !is_odd(key);
               }});
  EXPECT_EQ(report.records_dropped, dropped);
  EXPECT_EQ(contents(folder.path()), oracle);
  EXPECT_EQ(table_of(*Cache::open(folder.path())).size(), oracle.size());
  EXPECT_FALSE(writer.table("audio", kDescription).contains(key_of(0)) !=
               oracle.contains(key_of(0)));
}

TEST(Collect, DropsTablesThatAreNotKept) {
  const TemporaryFolder folder;
  Writer writer(folder.path(), quiet_writer());
  const Oracle oracle = fill(writer, 1);
  append_text(writer.table("audio", {{"old", true}}), key_of(1), "stale");
  const auto report = collect(
      writer, {.table = [](const std::string&, const Hash128&,
                           const Json& description) { return !description.contains("old"); },
               .record = {}});
  EXPECT_EQ(report.tables_dropped, 1U);
  EXPECT_EQ(report.records_dropped, 1U);
  EXPECT_EQ(Cache::open(folder.path())->tables().size(), 1U);
  EXPECT_EQ(contents(folder.path()), oracle);
  append_text(writer.table("audio", {{"old", true}}), key_of(2), "again");
  writer.seal();
  EXPECT_EQ(contents(table_of(*Cache::open(folder.path()), "audio", {{"old", true}})),
            (Oracle{{key_of(2), "again"}}));
}

TEST(Collect, DropsWhatWasReplaced) {
  const TemporaryFolder folder;
  Writer writer(folder.path(), quiet_writer());
  Oracle oracle = fill(writer, 3);
  for (uint64_t i = 0; i < 20; ++i) {
    oracle[key_of(i)] = content_of(i + 1000, 50);
    append_text(writer.table("audio", kDescription), key_of(i), oracle[key_of(i)]);
  }
  const auto report = collect(writer, {}, {.small_part_bytes = 0});
  EXPECT_EQ(report.records_dropped, 20U);
  EXPECT_EQ(contents(folder.path()), oracle);
  EXPECT_EQ(table_of(*Cache::open(folder.path())).size(), oracle.size());
  EXPECT_EQ(collect(writer, {}, {.small_part_bytes = 0}).records_dropped, 0U);
}

TEST(Collect, DoesNotDisturbReadersOfWhatItRemoves) {
  const TemporaryFolder folder;
  Writer writer(folder.path(), quiet_writer());
  const Oracle oracle = fill(writer, 3);
  const auto mapped = Cache::open(folder.path());
  const auto read = Cache::open(folder.path(), {.memory_mapping = false});
  collect(writer, {.table = [](const auto&...) { return false; }, .record = {}});
  EXPECT_THAT(part_files(folder.path()), IsEmpty());
  EXPECT_EQ(contents(table_of(*mapped)), oracle);
  EXPECT_EQ(contents(table_of(*read)), oracle);
  EXPECT_TRUE(Cache::open(folder.path())->tables().empty());
}

/// Flips a bit in the content of the first record and returns its key.
Key damage_first_record(const std::filesystem::path& folder) {
  const auto part = part_files(folder).front();
  std::string bytes = read_file(part);
  bytes[64] = static_cast<char>(bytes[64] ^ 1);
  write_bytes(part, bytes);
  return *verify(folder)->bad.at(0).key;
}

TEST(Collect, NeverCopiesDamage) {
  const TemporaryFolder folder;
  Oracle oracle = write_cache(folder.path(), 10);
  const Key damaged = damage_first_record(folder.path());
  oracle.erase(damaged);
  Writer writer(folder.path(), quiet_writer());
  append_text(writer.table("audio", kDescription), key_of(50), oracle[key_of(50)] = "fifty");
  const auto report = collect(writer, {});
  ASSERT_EQ(report.damaged.size(), 1U);
  EXPECT_EQ(report.damaged[0].id, damaged.hex());
  EXPECT_EQ(contents(folder.path()), oracle);
}

TEST(Collect, DropsDamageWhereAskedToCheck) {
  const TemporaryFolder folder;
  Oracle oracle = write_cache(folder.path(), 10);
  const Key damaged = damage_first_record(folder.path());
  oracle.erase(damaged);
  Writer writer(folder.path(), quiet_writer());
  EXPECT_THAT(collect(writer, {}).damaged, IsEmpty());
  EXPECT_EQ(collect(writer, {}, {.check_content = true}).damaged.size(), 1U);
  EXPECT_EQ(contents(folder.path()), oracle);
  EXPECT_FALSE(writer.table("audio", kDescription).contains(damaged));
}

}  // namespace
}  // namespace seda::cache
