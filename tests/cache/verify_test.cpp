// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/verify.h"

#include <atomic>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/cache/detail/format.h"
#include "tests/cache/support.h"

namespace seda::cache {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void flip(const std::filesystem::path& file, size_t at) {
  std::string bytes = read_file(file);
  bytes.at(at) = static_cast<char>(bytes[at] ^ 1);
  write_bytes(file, bytes);
}

TEST(Verify, IsNothingWhereThereIsNoCache) {
  const TemporaryFolder folder;
  EXPECT_FALSE(verify(folder.path()).has_value());
  EXPECT_EQ(count_records(folder.path()), 0U);
}

TEST(Verify, ASoundCacheHasNothingBad) {
  const TemporaryFolder folder;
  write_cache(folder.path(), 1000);
  std::atomic<uint64_t> progressed{0};
  const auto report =
      verify(folder.path(), {.threads = 3, .progress = [&](uint64_t n) { progressed += n; }});
  EXPECT_EQ(report->records, 1000U);
  EXPECT_EQ(report->bytes, 100'000U);
  EXPECT_EQ(progressed, 1000U);
  EXPECT_EQ(count_records(folder.path()), 1000U);
  EXPECT_THAT(report->bad, IsEmpty());
  EXPECT_THAT(report->unnamed, IsEmpty());
}

TEST(Verify, FindsEveryBadRecordAndGoesOn) {
  const TemporaryFolder folder;
  write_cache(folder.path(), 100);
  const auto part = part_files(folder.path()).front();
  for (const size_t record : {0, 10, 99})
    flip(part, 64 + record * 128 + 5);
  const size_t index = std::filesystem::file_size(part) - 101 * 64;
  flip(part, index + 50 * 64 + 3);
  const auto report = verify(folder.path());
  EXPECT_EQ(report->records, 100U);
  ASSERT_GE(report->bad.size(), 3U);
  ASSERT_LE(report->bad.size(), 4U);  // entry 50 may be that of a record whose content is bad too
  EXPECT_FALSE(report->bad[0].key.has_value());
  EXPECT_THAT(report->bad[0].evidence, HasSubstr("entry 50"));
  EXPECT_THAT(report->bad[1].evidence, HasSubstr("expected"));
  EXPECT_EQ(report->bad[1].table, "audio");
}

TEST(Verify, ASampleChecksThatMany) {
  const TemporaryFolder folder;
  write_cache(folder.path(), 200);
  EXPECT_EQ(verify(folder.path(), {.sample = 17})->records, 17U);
  EXPECT_EQ(verify(folder.path(), {.sample = 1000})->records, 200U);
  const auto part = part_files(folder.path()).front();
  for (size_t record = 0; record < 200; ++record)
    flip(part, 64 + record * 128 + 5);
  EXPECT_EQ(verify(folder.path(), {.sample = 17})->bad.size(), 17U);
}

TEST(Verify, FindsPartsThatAreMissingCutOrForeign) {
  const TemporaryFolder folder;
  {
    Writer writer(folder.path(), quiet_writer());
    for (uint64_t i = 0; i < 4; ++i) {
      append_text(writer.table("audio", kDescription), key_of(i), content_of(i, 100));
      writer.seal();
    }
  }
  auto parts = part_files(folder.path());
  std::filesystem::remove(parts[0]);
  std::filesystem::resize_file(parts[1], 100);
  std::filesystem::copy_file(parts[3], parts[2], std::filesystem::copy_options::overwrite_existing);
  const auto report = verify(folder.path());
  EXPECT_EQ(report->records, 1U);
  std::map<std::string, std::string> evidence;
  for (const Bad& bad : report->bad)
    evidence[bad.part] = bad.evidence;
  EXPECT_THAT(evidence[parts[0].filename()], HasSubstr("not there"));
  EXPECT_THAT(evidence[parts[1].filename()], HasSubstr("found 100"));
  EXPECT_THAT(evidence[parts[2].filename()], HasSubstr("another"));
  EXPECT_EQ(evidence.size(), 3U);
}

TEST(Verify, ReportsADamagedManifestAsBad) {
  const TemporaryFolder folder;
  write_cache(folder.path(), 3);
  flip(folder / "MANIFEST.json", 40);
  const auto report = verify(folder.path());
  ASSERT_EQ(report->bad.size(), 1U);
  EXPECT_EQ(report->bad[0].part, "MANIFEST.json");
  EXPECT_EQ(count_records(folder.path()), 0U);
}

TEST(Verify, NamesFilesThatTheManifestDoesNot) {
  const TemporaryFolder folder;
  write_cache(folder.path(), 3);
  folder.write("audio-12345678-0123456789abcdef.part", "leftover");
  folder.write("mine.txt", "mine");
  const auto report = verify(folder.path());
  EXPECT_THAT(report->bad, IsEmpty());
  EXPECT_THAT(report->unnamed, ElementsAre("audio-12345678-0123456789abcdef.part"));
}

/// A part whose checksums are all right and whose index is not: out of order, and overlapping.
TEST(Verify, FindsEntriesOutOfOrderAndOverlapping) {
  const TemporaryFolder folder;
  write_cache(folder.path(), 3);
  const auto path = part_files(folder.path()).front();
  std::string bytes = read_file(path);
  detail::Block header;
  std::memcpy(header.data(), bytes.data(), header.size());
  const uint64_t seed = detail::checksum_of(header);
  const size_t index = bytes.size() - 4 * 64;
  detail::Block block;
  std::memcpy(block.data(), bytes.data() + index, block.size());
  detail::IndexEntry first = *detail::decode_entry(block, seed);
  first.key = {~uint64_t{0}, 0};
  std::memcpy(block.data(), bytes.data() + index + 64, block.size());
  first.offset = detail::decode_entry(block, seed)->offset;
  block = detail::encode(first, seed);
  std::memcpy(bytes.data() + index, block.data(), block.size());
  write_bytes(path, bytes);
  std::string evidence;
  const auto report = verify(folder.path());
  for (const Bad& bad : report->bad)
    evidence += bad.evidence + "\n";
  EXPECT_THAT(evidence, HasSubstr("out of order"));
  EXPECT_THAT(evidence, HasSubstr("overlaps"));
}

}  // namespace
}  // namespace seda::cache
