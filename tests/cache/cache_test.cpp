// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/cache.h"

#include <cstring>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/cache/detail/manifest.h"
#include "tests/cache/support.h"
#include "tests/support/error_message.h"
#include "tests/support/threads.h"

namespace seda::cache {
namespace {

using namespace testing_support;
using seda::testing_support::error_message;
using seda::testing_support::run_threads;
using testing::AllOf;
using testing::HasSubstr;

TEST(Cache, IsNothingWhereThereIsNone) {
  const TemporaryFolder folder;
  EXPECT_FALSE(Cache::open(folder.path()).has_value());
  EXPECT_FALSE(Cache::open(folder / "missing").has_value());
  folder.write("notes.txt", "mine");
  EXPECT_FALSE(Cache::open(folder.path()).has_value());
}

TEST(Cache, IsEmptyOnceAWriterHasMadeIt) {
  const TemporaryFolder folder;
  {
    const Writer writer(folder / "deep/cache");
  }
  const auto cache = Cache::open(folder / "deep/cache");
  ASSERT_TRUE(cache.has_value());
  EXPECT_TRUE(cache->tables().empty());
  EXPECT_EQ(cache->bytes(), 0U);
  EXPECT_EQ(cache->part_count(), 0U);
}

/// Both ways of reading, with and without verification.
class CacheReading : public testing::TestWithParam<OpenOptions> {};

INSTANTIATE_TEST_SUITE_P(Ways, CacheReading,
                         testing::Values(OpenOptions{.memory_mapping = true, .verify = false},
                                         OpenOptions{.memory_mapping = true, .verify = true},
                                         OpenOptions{.memory_mapping = false, .verify = false},
                                         OpenOptions{.memory_mapping = false, .verify = true}),
                         [](const auto& way) {
                           return fmt::format("{}{}", way.param.memory_mapping ? "Mapped" : "Read",
                                              way.param.verify ? "Verified" : "");
                         });

TEST_P(CacheReading, RecordsOfManySizesComeBackAsTheyWere) {
  const TemporaryFolder folder;
  Oracle oracle;
  {
    Writer writer(folder.path(), quiet_writer());
    const TableWriter table = writer.table("audio", kDescription);
    const std::vector<size_t> sizes = {0, 1, 63, 64, 65, 127, 128, 4096, 100'000, 3'000'000};
    for (size_t i = 0; i < sizes.size(); ++i) {
      oracle[key_of(i)] = content_of(i, sizes[i]);
      append_text(table, key_of(i), oracle[key_of(i)]);
    }
    writer.seal();
  }
  const auto cache = Cache::open(folder.path(), GetParam());
  const Table& table = table_of(*cache);
  EXPECT_EQ(table.size(), oracle.size());
  for (const auto& [key, text] : oracle) {
    const auto record = table.read(key);
    ASSERT_TRUE(record.ok());
    EXPECT_EQ(record.value().entry.key, key);
    EXPECT_EQ(text_of(record.value().bytes), text);
    std::vector<std::byte> target(text.size() + 7);
    const auto copied = table.copy(record.value().entry.address, target);
    ASSERT_TRUE(copied.ok());
    EXPECT_EQ(copied.value(), record.value().entry);
    EXPECT_EQ(text_of(std::span(target).first(text.size())), text);
    table.prefetch(record.value().entry.address);
  }
  EXPECT_EQ(contents(table), oracle);
}

TEST_P(CacheReading, AnAbsentKeyIsMissing) {
  const TemporaryFolder folder;
  write_cache(folder.path(), 100);
  const auto cache = Cache::open(folder.path(), GetParam());
  const Table& table = table_of(*cache);
  for (uint64_t i = 100; i < 200; ++i) {
    EXPECT_FALSE(table.find(key_of(i)).has_value());
    const auto record = table.read(key_of(i));
    ASSERT_FALSE(record.ok());
    EXPECT_EQ(record.fault().code, "cache_missing");
    EXPECT_EQ(record.fault().id, key_of(i).hex());
  }
  EXPECT_FALSE(table.find(Key{}).has_value());
  EXPECT_FALSE(table.find(Key{~uint64_t{0}, ~uint64_t{0}}).has_value());
}

TEST_P(CacheReading, ManyThreadsReadAtOnce) {
  const TemporaryFolder folder;
  const Oracle oracle = write_cache(folder.path(), 300, 1000);
  const auto cache = Cache::open(folder.path(), GetParam());
  const Table& table = table_of(*cache);
  std::atomic<int> wrong{0};
  run_threads(4, [&](size_t) {
    for (const auto& [key, text] : oracle) {
      const auto record = table.read(key);
      if (!record || text_of(record.value().bytes) != text) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Cache, KeepsShapesAndTypes) {
  const TemporaryFolder folder;
  std::vector<float> mel(80 * 7);
  std::iota(mel.begin(), mel.end(), 0.5F);
  const std::vector<int16_t> pcm = {1, -2, 3};
  {
    Writer writer(folder.path(), quiet_writer());
    TableWriter table = writer.table("audio", kDescription);
    table.append(key_of(1), {std::as_bytes(std::span(mel)), {80, 7}, DataType::float32});
    table.append(key_of(2), {std::as_bytes(std::span(pcm)), {3}, DataType::int16});
    table.append(key_of(3), {bytes_of("ab"), {9, 8, 7, 6}, DataType::raw});
    table.append(key_of(4), {{}, {0, 5}, DataType::float64});
    table.append(key_of(5), {bytes_of("x"), {}, DataType::uint8});
    writer.seal();
  }
  const auto cache = Cache::open(folder.path());
  const auto record = table_of(*cache).read(key_of(1));
  EXPECT_EQ(record.value().entry.dims, (Dims{80, 7}));
  EXPECT_EQ(record.value().entry.type, DataType::float32);
  EXPECT_TRUE(std::ranges::equal(record.value().as<float>(), mel));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(record.value().bytes.data()) % 64, 0U);
  EXPECT_TRUE(std::ranges::equal(table_of(*cache).read(key_of(2)).value().as<int16_t>(), pcm));
  EXPECT_EQ(table_of(*cache).find(key_of(3))->dims, (Dims{9, 8, 7, 6}));
  EXPECT_EQ(table_of(*cache).find(key_of(4))->dims, (Dims{0, 5}));
  EXPECT_EQ(table_of(*cache).find(key_of(5))->size, 1U);
}

TEST(Cache, AddressesLastAcrossOpenings) {
  const TemporaryFolder folder;
  write_cache(folder.path(), 50);
  std::map<Key, Address> addresses;
  {
    const auto cache = Cache::open(folder.path());
    table_of(*cache).for_each([&](const Entry& entry) { addresses[entry.key] = entry.address; });
  }
  const auto cache = Cache::open(folder.path());
  for (const auto& [key, address] : addresses)
    EXPECT_EQ(table_of(*cache).entry(address).value().key, key);
}

TEST(Cache, AnAddressThatLeadsNowhereIsAFault) {
  const TemporaryFolder folder;
  write_cache(folder.path(), 3);
  const auto cache = Cache::open(folder.path());
  const Table& table = table_of(*cache);
  const Address sound = table.find(key_of(0))->address;
  EXPECT_EQ(table.read(Address{sound.part, 3}).fault().code, "cache_missing");
  EXPECT_EQ(table.read(Address{sound.part + 1, 0}).fault().code, "cache_missing");
  EXPECT_EQ(table.entry(Address{}).fault().code, "cache_missing");
  table.prefetch(Address{});
}

TEST(Cache, ATargetThatIsTooSmallIsAnError) {
  const TemporaryFolder folder;
  write_cache(folder.path(), 1, 100);
  const auto cache = Cache::open(folder.path());
  const Table& table = table_of(*cache);
  std::vector<std::byte> target(99);
  EXPECT_THAT(error_message([&] { (void)table.copy(table.find(key_of(0))->address, target); }),
              HasSubstr("100 bytes"));
}

TEST(Cache, TwoDescriptionsAreTwoTables) {
  const TemporaryFolder folder;
  Json other = kDescription;
  other["mel"]["n_mels"] = 100;
  {
    Writer writer(folder.path(), quiet_writer());
    append_text(writer.table("audio", kDescription), key_of(1), "eighty");
    append_text(writer.table("audio", other), key_of(1), "hundred");
    append_text(writer.table("text", kDescription), key_of(1), "words");
    writer.seal();
  }
  const auto cache = Cache::open(folder.path());
  ASSERT_EQ(cache->tables().size(), 3U);
  EXPECT_EQ(contents(table_of(*cache)), (Oracle{{key_of(1), "eighty"}}));
  EXPECT_EQ(contents(table_of(*cache, "audio", other)), (Oracle{{key_of(1), "hundred"}}));
  EXPECT_EQ(contents(table_of(*cache, "text")), (Oracle{{key_of(1), "words"}}));
  EXPECT_EQ(table_of(*cache, "audio", other).description(), other);
  EXPECT_EQ(cache->find_table("clips", fingerprint_of(kDescription)), nullptr);
  EXPECT_EQ(cache->find_table("audio", Hash128{}), nullptr);
}

TEST(Cache, SaysThatANewerVersionWroteIt) {
  const TemporaryFolder folder;
  write_cache(folder.path(), 1);
  std::string text = read_file(folder / "MANIFEST.json");
  text.replace(text.find("\"seda_cache\": 1"), 15, "\"seda_cache\": 3");
  write_bytes(folder / "MANIFEST.json", text);
  const auto message = error_message([&] { (void)Cache::open(folder.path()); });
  EXPECT_THAT(message,
              AllOf(HasSubstr("written by a newer seda (format 3; this one reads up to 1)"),
                    HasSubstr("--cache-dir")));
  EXPECT_EQ(error_message([&] { const Writer writer(folder.path()); }), message);
}

TEST(Cache, SaysThatAPartIsMissing) {
  const TemporaryFolder folder;
  write_cache(folder.path(), 1);
  const auto part = part_files(folder.path()).front();
  std::filesystem::remove(part);
  EXPECT_THAT(error_message([&] { (void)Cache::open(folder.path()); }),
              AllOf(HasSubstr(part.filename().string()), HasSubstr("not there"),
                    HasSubstr("seda cache verify")));
}

TEST(Cache, SaysThatTheManifestIsMissing) {
  const TemporaryFolder folder;
  write_cache(folder.path(), 1);
  std::filesystem::remove(folder / "MANIFEST.json");
  EXPECT_THAT(error_message([&] { (void)Cache::open(folder.path()); }),
              AllOf(HasSubstr("MANIFEST.json is missing"), HasSubstr("seda cache clear")));
  EXPECT_THAT(error_message([&] { const Writer writer(folder.path()); }),
              HasSubstr("MANIFEST.json is missing"));
  EXPECT_EQ(part_files(folder.path()).size(), 1U);
}

TEST(Cache, APartUnderAnothersNameIsForeign) {
  const TemporaryFolder folder;
  const TemporaryFolder other;
  write_cache(folder.path(), 5);
  write_cache(other.path(), 5);
  std::filesystem::copy_file(part_files(other.path()).front(), part_files(folder.path()).front(),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(error_message([&] { (void)Cache::open(folder.path()); }),
              HasSubstr("another table, or was another part"));
}

}  // namespace
}  // namespace seda::cache
