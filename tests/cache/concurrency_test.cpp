// SPDX-License-Identifier: Apache-2.0
// Readers come and go while a writer seals, replaces and collects.
#include <atomic>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/cache/collect.h"
#include "seda/cache/verify.h"
#include "tests/cache/support.h"
#include "tests/support/threads.h"

namespace seda::cache {
namespace {

using namespace testing_support;
using seda::testing_support::start_threads;

/// Every record of what is there now, each right; the number of records.
uint64_t read_everything(const std::filesystem::path& folder, bool map) {
  const auto cache = Cache::open(folder, {.memory_mapping = map, .verify = true});
  if (!cache) return 0;
  const Table* table = cache->find_table("audio", fingerprint_of(kDescription));
  if (table == nullptr) return 0;
  uint64_t count = 0;
  table->for_each([&](const Entry& entry) {
    const auto record = table->read(entry.key);
    if (!record) throw std::runtime_error(record.fault().evidence);
    if (hash128(record.value().bytes) != entry.key) throw std::runtime_error("a wrong record");
    ++count;
  });
  return count;
}

TEST(Concurrency, ReadersAreNotDisturbedByAWriter) {
  const TemporaryFolder folder;
  constexpr uint64_t kRecords = 600;
  std::atomic<bool> done{false};
  std::atomic<int> failures{0};
  std::atomic<int> opened{0};
  {
    const auto readers = start_threads(3, [&](size_t reader) {
      uint64_t before = 0;
      while (!done) {
        try {
          const uint64_t now = read_everything(folder.path(), reader % 2 == 0);
          if (now < before) ++failures;
          before = now;
          ++opened;
        } catch (const std::exception& error) {
          ADD_FAILURE() << error.what();
          ++failures;
          return;
        }
      }
    });
    Writer writer(folder.path(), quiet_writer());
    const TableWriter table = writer.table("audio", kDescription);
    for (uint64_t i = 0; i < kRecords; ++i) {
      const std::string content = content_of(i, i % 500 + 8);
      append_text(table, hash128(content), content);
      if (i % 10 == 9) writer.seal();
      if (i % 60 == 59) collect(writer, {});
      if (i % 100 == 50) writer.replace("clips", kDescription, {});
    }
    done = true;
  }
  EXPECT_EQ(failures, 0);
  EXPECT_GT(opened, 0);
  EXPECT_EQ(read_everything(folder.path(), true), kRecords);
}

TEST(Concurrency, AppendsGoOnWhileAnotherThreadCollects) {
  const TemporaryFolder folder;
  constexpr uint64_t kRecords = 400;
  Writer writer(folder.path(), {.part_bytes = 20'000, .seal_seconds = 0.01});
  {
    const auto threads = start_threads(3, [&](size_t thread) {
      if (thread == 2) {
        for (int i = 0; i < 10; ++i)
          collect(writer, {});
        return;
      }
      const TableWriter table = writer.table("audio", kDescription);
      for (uint64_t i = thread; i < kRecords; i += 2) {
        const std::string content = content_of(i, i % 500 + 8);
        append_text(table, hash128(content), content);
      }
    });
  }
  writer.seal();
  EXPECT_EQ(read_everything(folder.path(), true), kRecords);
  EXPECT_TRUE(verify(folder.path())->bad.empty());
}

}  // namespace
}  // namespace seda::cache
