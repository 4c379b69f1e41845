// SPDX-License-Identifier: Apache-2.0
#include "seda/base/clock.h"

#include <gtest/gtest.h>

namespace seda {
namespace {

TEST(Clock, NeverStepsBack) {
  int64_t before = now_ns();
  for (int i = 0; i < 10'000; ++i) {
    const int64_t now = now_ns();
    ASSERT_GE(now, before);
    before = now;
  }
}

TEST(Clock, SteadyClockIsTheMonotonicOne) {
  const SteadyClock clock;
  const int64_t before = now_ns();
  const int64_t between = clock.now_ns();
  const int64_t after = now_ns();
  EXPECT_GE(between, before);
  EXPECT_LE(between, after);
}

TEST(Clock, CountsNanoseconds) {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  const int64_t before = int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  const int64_t now = now_ns();
  EXPECT_GE(now, before);
  EXPECT_LT(now - before, int64_t{60} * 1'000'000'000) << "a wrong unit would be far off";
}

TEST(Stopwatch, CountsFromItsStart) {
  const int64_t before = now_ns();
  const Stopwatch watch;
  const double first = watch.seconds();
  const double second = watch.seconds();
  const double bound = static_cast<double>(now_ns() - before) * 1e-9;
  EXPECT_GE(first, 0);
  EXPECT_GE(second, first);
  EXPECT_LE(second, bound);
}

TEST(Stopwatch, RestartForgetsWhatPassed) {
  Stopwatch watch;
  for (int i = 0; i < 1000; ++i)
    now_ns();
  const int64_t before = now_ns();
  watch.restart();
  const double since = watch.seconds();
  EXPECT_LE(since, static_cast<double>(now_ns() - before) * 1e-9);
}

}  // namespace
}  // namespace seda
