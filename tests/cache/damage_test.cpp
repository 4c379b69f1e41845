// SPDX-License-Identifier: Apache-2.0
// Cut files and flipped bits: an error or a fault, never a crash, never a wrong record.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/cache/detail/format.h"
#include "seda/cache/verify.h"
#include "tests/cache/support.h"
#include "tests/support/error_message.h"

namespace seda::cache {
namespace {

using namespace testing_support;
using seda::testing_support::error_message;
using testing::HasSubstr;

struct Tally {
  int right = 0;
  int faults = 0;
  int errors = 0;
  int wrong = 0;
};

/// Reads every key of `oracle` by lookup and all records by place.
void read_all(const Table& table, const Oracle& oracle, Tally& tally) {
  const auto judge = [&](const Result<Record>& record, const std::string& expected) {
    if (!record) {
      ++tally.faults;
    } else if (text_of(record.value().bytes) == expected) {
      ++tally.right;
    } else {
      ++tally.wrong;
    }
  };
  for (const auto& [key, text] : oracle)
    judge(table.read(key), text);
  table.for_each([&](const Entry& entry) {
    const auto expected = oracle.find(entry.key);
    if (expected == oracle.end()) {
      ++tally.wrong;
    } else {
      judge(table.read(entry.address), expected->second);
    }
  });
}

void try_to_read(const std::filesystem::path& folder, const Oracle& oracle, bool map,
                 Tally& tally) {
  try {
    const auto cache = Cache::open(folder, {.memory_mapping = map, .verify = true});
    const Table* table = cache ? cache->find_table("audio", fingerprint_of(kDescription)) : nullptr;
    if (table != nullptr) read_all(*table, oracle, tally);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    ++tally.errors;
  }
}

TEST(Damage, AFlippedBitAnywhereInAPartIsAFaultOrHarmless) {
  const TemporaryFolder folder;
  const Oracle oracle = write_cache(folder.path(), 12, 70);
  const auto part = part_files(folder.path()).front();
  const std::string whole = read_file(part);
  Tally tally;
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 8)));
    write_bytes(part, flipped);
    try_to_read(folder.path(), oracle, at % 2 == 0, tally);
    EXPECT_EQ(tally.wrong, 0) << "byte " << at;
  }
  EXPECT_GT(tally.right, 0);
  EXPECT_GT(tally.faults, 12 * 70);  // each byte of content costs its record
  EXPECT_GE(tally.errors, 2 * 64);   // each byte of header and footer costs the part
}

TEST(Damage, AFlippedBitCostsOneRecordNotItsNeighbours) {
  const TemporaryFolder folder;
  const Oracle oracle = write_cache(folder.path(), 100, 64);
  const auto part = part_files(folder.path()).front();
  const std::string whole = read_file(part);
  const size_t index = whole.size() - 101 * 64;
  for (size_t entry = 0; entry < 100; ++entry) {
    std::string flipped = whole;
    flipped[index + entry * 64 + entry % 64] ^= 4;
    write_bytes(part, flipped);
    Tally tally;
    const auto cache = Cache::open(folder.path());
    for (const auto& [key, text] : oracle) {
      const auto record = table_of(*cache).read(key);
      if (record) {
        EXPECT_EQ(text_of(record.value().bytes), text);
      } else {
        EXPECT_EQ(record.fault().code, "cache_damaged");
        ++tally.faults;
      }
    }
    EXPECT_EQ(tally.faults, 1) << "entry " << entry;
  }
}

TEST(Damage, AFlippedBitAnywhereInTheManifestIsAnError) {
  const TemporaryFolder folder;
  const Oracle oracle = write_cache(folder.path(), 2);
  const std::string whole = read_file(folder / "MANIFEST.json");
  for (size_t at = 0; at < whole.size() * 8; ++at) {
    std::string flipped = whole;
    flipped[at / 8] = static_cast<char>(flipped[at / 8] ^ (1 << (at % 8)));
    write_bytes(folder / "MANIFEST.json", flipped);
    Tally tally;
    try_to_read(folder.path(), oracle, true, tally);
    EXPECT_EQ(tally.errors, 1) << "bit " << at;
  }
}

TEST(Damage, ACutAnywhereInTheLastKilobyteOfAPartIsAnError) {
  const TemporaryFolder folder;
  write_cache(folder.path(), 20);
  const auto part = part_files(folder.path()).front();
  const std::string whole = read_file(part);
  for (size_t cut = 1; cut <= std::min<size_t>(1024, whole.size()); ++cut) {
    std::filesystem::resize_file(part, whole.size() - cut);
    EXPECT_THAT(error_message([&] { (void)Cache::open(folder.path()); }),
                HasSubstr(part.filename().string()));
  }
  for (const size_t left : {0, 1, 63, 64, 65, 127, 128, 200}) {
    std::filesystem::resize_file(part, left);
    EXPECT_THAT(error_message([&] { (void)Cache::open(folder.path()); }), HasSubstr("expected"));
  }
  write_bytes(part, whole + "x");
  EXPECT_THAT(error_message([&] { (void)Cache::open(folder.path()); }), HasSubstr("expected"));
}

TEST(Damage, ACutAnywhereInTheManifestIsAnError) {
  const TemporaryFolder folder;
  write_cache(folder.path(), 2);
  const std::string whole = read_file(folder / "MANIFEST.json");
  for (size_t left = 0; left < whole.size(); ++left) {
    write_bytes(folder / "MANIFEST.json", whole.substr(0, left));
    EXPECT_THAT(error_message([&] { (void)Cache::open(folder.path()); }),
                HasSubstr("is damaged: its checksum"));
  }
}

TEST(Damage, OddThingsInPlaceOfFilesAreErrors) {
  const TemporaryFolder folder;
  write_cache(folder.path(), 2);
  const auto part = part_files(folder.path()).front();
  const std::string whole = read_file(part);
  std::filesystem::remove(part);
  std::filesystem::create_directory(part);
  EXPECT_NE(error_message([&] { (void)Cache::open(folder.path()); }), "nothing was thrown");
  std::filesystem::remove(part);
  std::filesystem::create_symlink(part, part);
  EXPECT_NE(error_message([&] { (void)Cache::open(folder.path()); }), "nothing was thrown");
  std::filesystem::remove(part);
  write_bytes(part, std::string(whole.size(), '\0'));
  EXPECT_THAT(error_message([&] { (void)Cache::open(folder.path()); }), HasSubstr("begin"));
  write_bytes(part, whole);
  EXPECT_TRUE(Cache::open(folder.path()).has_value());
}

TEST(Damage, VerifyFindsEveryFlippedBitThatMatters) {
  const TemporaryFolder folder;
  write_cache(folder.path(), 6, 64);
  const auto part = part_files(folder.path()).front();
  const std::string whole = read_file(part);
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 8)));
    write_bytes(part, flipped);
    const auto report = verify(folder.path(), {.threads = 1});
    ASSERT_EQ(report->bad.size(), 1U) << "byte " << at;
    EXPECT_EQ(report->bad[0].part, part.filename().string());
  }
}

}  // namespace
}  // namespace seda::cache
