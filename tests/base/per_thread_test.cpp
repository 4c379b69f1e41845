// SPDX-License-Identifier: Apache-2.0
#include "seda/base/per_thread.h"

#include <latch>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/threads.h"

namespace seda {
namespace {

struct Counter {
  void adopt() { ++adopted; }

  int value = 0;
  int adopted = 0;
};

template <typename T>
size_t count_values(const PerThread<T>& values) {
  size_t count = 0;
  values.for_each([&count](const T&) { ++count; });
  return count;
}

TEST(PerThread, AThreadFindsItsOwnAgain) {
  PerThread<Counter> counters;
  Counter& mine = counters.local();
  mine.value = 7;
  EXPECT_EQ(&counters.local(), &mine);
  Counter* other = nullptr;
  std::jthread([&] { other = &counters.local(); }).join();
  EXPECT_NE(other, &mine);
}

TEST(PerThread, ThreadsAtTheSameTimeHaveDifferentOnes) {
  PerThread<Counter> counters;
  std::latch all_there(4);
  testing_support::run_threads(4, [&](size_t) {
    ++counters.local().value;
    all_there.arrive_and_wait();
  });
  EXPECT_EQ(count_values(counters), 4u);
  counters.for_each([](const Counter& counter) { EXPECT_EQ(counter.value, 1); });
}

TEST(PerThread, AnEndedThreadsValueIsHandedOn) {
  PerThread<Counter> counters;
  for (int t = 0; t < 20; ++t)
    std::jthread([&counters] { ++counters.local().value; }).join();
  ASSERT_EQ(count_values(counters), 1u);
  counters.for_each([](const Counter& counter) {
    EXPECT_EQ(counter.value, 20);
    EXPECT_EQ(counter.adopted, 20) << "once for each thread";
  });
}

TEST(PerThread, AThreadMayOutliveTheOwnerAndMeetTheNext) {
  std::optional<PerThread<Counter>> counters;
  for (int life = 1; life <= 200; ++life) {
    counters.emplace();  // at the same address
    counters->local().value += life;
    EXPECT_EQ(counters->local().value, life);
  }
}

TEST(PerThread, AThreadThatEndsAfterTheOwnerIsHarmless) {
  auto counters = std::make_unique<PerThread<Counter>>();
  std::latch used(1);
  std::latch gone(1);
  const std::jthread thread([&] {
    counters->local().value = 1;
    used.count_down();
    gone.wait();
  });
  used.wait();
  counters.reset();
  gone.count_down();
}

TEST(PerThread, OwnersThatShareACacheEntryDoNotMix) {
  // Numbers of consecutive owners fall on the same entry after `kCacheEntries`.
  std::vector<PerThread<Counter>> owners(3 * per_thread_detail::kCacheEntries);
  for (int round = 0; round < 2; ++round) {
    for (auto& owner : owners)
      ++owner.local().value;
  }
  for (auto& owner : owners) {
    EXPECT_EQ(owner.local().value, 2);
    EXPECT_EQ(count_values(owner), 1u);
  }
}

/// Uses an owner from the end of its thread.
struct Farewell {
  ~Farewell() {
    if (counters != nullptr) ++counters->local().value;
  }
  PerThread<Counter>* counters = nullptr;
};

TEST(PerThread, MayBeUsedWhileAThreadEnds) {
  PerThread<Counter> counters;
  for (int t = 0; t < 3; ++t) {
    std::jthread([&counters] {
      thread_local Farewell farewell;  // made first, so it goes last
      farewell.counters = &counters;
      ++counters.local().value;
    }).join();
  }
  int total = 0;
  counters.for_each([&total](const Counter& counter) { total += counter.value; });
  EXPECT_EQ(total, 6);
}

}  // namespace
}  // namespace seda
