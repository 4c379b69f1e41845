// SPDX-License-Identifier: Apache-2.0
#include "seda/pipeline/stage_statistics.h"

#include <atomic>
#include <latch>
#include <thread>

#include <gtest/gtest.h>

#include "tests/support/manual_clock.h"
#include "tests/support/threads.h"

namespace seda::pipeline {
namespace {

using testing_support::ManualClock;

constexpr int64_t kSecond = 1'000'000'000;

TEST(StageRecorder, StartsWithNothing) {
  const ManualClock clock;
  const StageRecorder recorder(clock);
  const StageStatistics statistics = recorder.snapshot();
  EXPECT_EQ(statistics.count, 0U);
  EXPECT_EQ(statistics.worker_s(), 0);
  EXPECT_EQ(statistics.workers, 0);
}

TEST(StageRecorder, EachSecondBelongsToOneActivity) {
  ManualClock clock;
  StageRecorder recorder(clock);
  clock.advance_ns(100 * kSecond);  // away
  {
    const ActivityScope busy(recorder, Activity::busy);
    clock.advance_ns(1 * kSecond);
    {
      const ActivityScope waiting(recorder, Activity::blocked_in);
      clock.advance_ns(2 * kSecond);
    }
    clock.advance_ns(4 * kSecond);
    {
      const ActivityScope waiting(recorder, Activity::blocked_out);
      clock.advance_ns(8 * kSecond);
    }
    recorder.add(1, 640);
  }
  clock.advance_ns(100 * kSecond);
  const StageStatistics statistics = recorder.snapshot();
  EXPECT_DOUBLE_EQ(statistics.busy_s, 5);
  EXPECT_DOUBLE_EQ(statistics.blocked_in_s, 2);
  EXPECT_DOUBLE_EQ(statistics.blocked_out_s, 8);
  EXPECT_EQ(statistics.count, 1U);
  EXPECT_EQ(statistics.bytes, 640U);
  EXPECT_EQ(statistics.workers, 0);
}

TEST(StageRecorder, WhatIsGoingOnCounts) {
  ManualClock clock;
  StageRecorder recorder(clock);
  const ActivityScope waiting(recorder, Activity::blocked_out);
  clock.advance_ns(3 * kSecond);
  EXPECT_DOUBLE_EQ(recorder.snapshot().blocked_out_s, 3);
  EXPECT_EQ(recorder.snapshot().workers, 1);
}

TEST(StageRecorder, ThreadsThatHaveEndedStayCounted) {
  ManualClock clock;
  StageRecorder recorder(clock);
  std::latch entered(3);
  std::latch moved(1);
  auto threads = testing_support::start_threads(3, [&](size_t) {
    const ActivityScope busy(recorder, Activity::busy);
    entered.count_down();
    moved.wait();
    recorder.add(2, 10);
  });
  entered.wait();
  EXPECT_EQ(recorder.snapshot().workers, 3);
  clock.advance_ns(kSecond);
  moved.count_down();
  threads.clear();
  clock.advance_ns(kSecond);
  const StageStatistics statistics = recorder.snapshot();
  EXPECT_DOUBLE_EQ(statistics.busy_s, 3);
  EXPECT_EQ(statistics.count, 6U);
  EXPECT_EQ(statistics.bytes, 30U);
  EXPECT_EQ(statistics.workers, 0);
}

TEST(StageRecorder, ExceptionEndsTheActivity) {
  ManualClock clock;
  StageRecorder recorder(clock);
  try {
    const ActivityScope busy(recorder, Activity::busy);
    throw 1;
  } catch (int) {
    clock.advance_ns(kSecond);
  }
  EXPECT_EQ(recorder.snapshot().busy_s, 0);
}

TEST(StageStatistics, OfAnInterval) {
  ManualClock clock;
  StageRecorder recorder(clock);
  const ActivityScope busy(recorder, Activity::busy);
  clock.advance_ns(kSecond);
  recorder.add(1);
  const StageStatistics earlier = recorder.snapshot();
  clock.advance_ns(2 * kSecond);
  recorder.add(3, 7);
  const StageStatistics between = recorder.snapshot().since(earlier);
  EXPECT_DOUBLE_EQ(between.busy_s, 2);
  EXPECT_EQ(between.count, 3U);
  EXPECT_EQ(between.bytes, 7U);
  EXPECT_EQ(between.workers, 1);
}

/// A reader that saw half a change would see time twice or not at all.
TEST(StageRecorder, SnapshotsNeverSeeHalfAChange) {
  ManualClock clock;
  StageRecorder recorder(clock);
  std::atomic<bool> ready{false};
  std::jthread worker([&](const std::stop_token& stop) {
    const ActivityScope busy(recorder, Activity::busy);
    ready = true;
    while (!stop.stop_requested()) {
      recorder.enter(Activity::blocked_in);
      clock.advance_ns(1);
      recorder.enter(Activity::busy);
      clock.advance_ns(1);
    }
  });
  while (!ready)
    std::this_thread::yield();
  double last = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto before = static_cast<double>(clock.now_ns());
    const double seen = recorder.snapshot().worker_s() * 1e9;
    ASSERT_GE(seen + 1e-3, before);
    ASSERT_GE(seen + 1e-3, last);
    ASSERT_LE(seen, static_cast<double>(clock.now_ns()) + 1e-3);
    last = seen;
  }
}

}  // namespace
}  // namespace seda::pipeline
