// SPDX-License-Identifier: Apache-2.0
// A writer killed at any moment: everything it had sealed is there and sound.
#include <array>
#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "seda/cache/collect.h"
#include "seda/cache/verify.h"
#include "tests/cache/support.h"

namespace seda::cache {
namespace {

using namespace testing_support;
using testing::IsEmpty;

constexpr size_t kRecordBytes = 3000;

/// Appends records from `first` on, seals after every few, and says on `report` how many are
/// sealed. Until it is killed.
[[noreturn]] void write_until_killed(const std::filesystem::path& folder, uint64_t first,
                                     int report) {
  try {
    Writer writer(folder, {.part_bytes = 64 << 10, .seal_seconds = 0.002});
    const TableWriter table = writer.table("audio", kDescription);
    for (uint64_t i = first;; ++i) {
      append_text(table, key_of(i), content_of(i, i % kRecordBytes));
      if (i % 7 != 0) continue;
      writer.seal();
      const uint64_t sealed = i + 1;
      if (write(report, &sealed, sizeof(sealed)) != sizeof(sealed)) _exit(1);
      if (i % 49 == 0) collect(writer, {});
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "child: %s\n", error.what());
    _exit(1);
  }
}

/// The number that was reported last, and how the child ended.
struct Outcome {
  uint64_t sealed = 0;
  int status = 0;
};

Outcome run_and_kill(const std::filesystem::path& folder, uint64_t first,
                     std::chrono::microseconds after) {
  std::array<int, 2> channel{};
  if (pipe(channel.data()) != 0) throw std::runtime_error("pipe failed");
  const pid_t child = fork();
  if (child == 0) write_until_killed(folder, first, channel[1]);
  close(channel[1]);
  std::this_thread::sleep_for(after);
  kill(child, SIGKILL);
  Outcome outcome{.sealed = first, .status = 0};
  waitpid(child, &outcome.status, 0);
  uint64_t sealed = 0;
  while (read(channel[0], &sealed, sizeof(sealed)) == sizeof(sealed))
    outcome.sealed = sealed;
  close(channel[0]);
  return outcome;
}

TEST(Crash, WhatWasSealedSurvivesAHundredKills) {
  const TemporaryFolder folder;
  Random random(1);
  uint64_t sealed = 0;
  for (int round = 0; round < 100; ++round) {
    const auto outcome =
        run_and_kill(folder.path(), sealed, std::chrono::microseconds(random.below(60'000)));
    ASSERT_TRUE(WIFSIGNALED(outcome.status)) << "the child failed by itself";
    sealed = outcome.sealed;
    const auto cache = Cache::open(folder.path(), {.verify = true});
    if (sealed == 0) continue;
    ASSERT_TRUE(cache.has_value());
    ASSERT_GE(table_of(*cache).size(), sealed);
    for (uint64_t i = 0; i < sealed; ++i) {
      const auto record = table_of(*cache).read(key_of(i));
      ASSERT_TRUE(record.ok()) << record.fault().evidence;
      ASSERT_EQ(text_of(record.value().bytes), content_of(i, i % kRecordBytes));
    }
  }
  EXPECT_GT(sealed, 0U);
  EXPECT_THAT(verify(folder.path())->bad, IsEmpty());
  const Writer last(folder.path());
  EXPECT_THAT(verify(folder.path())->unnamed, IsEmpty());
}

}  // namespace
}  // namespace seda::cache
