// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/cold_runs.h"

#include <gtest/gtest.h>

#include "tests/diagnose/situations.h"

namespace seda::diagnose {
namespace {

using testing_support::set_work;
using testing_support::steady_situation;

/// A run that waited for storage while its pages were cold.
Situation cold_situation() {
  Situation out = steady_situation();
  out.stall = 0.6;
  out.loader.seconds = 5;
  set_work(out, 3.5, 0.1, 0.3);
  out.machine.storage_bytes = 60'000'000;
  return out;
}

constexpr double kWarmRate = 800;

TEST(ColdRuns, NameTheColdCacheWhereBothWereHeldUp) {
  const auto verdict = judge_cold_runs(cold_situation(), cold_situation(), kWarmRate);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->cause, Cause::cold_cache);
  ASSERT_TRUE(verdict->remedies.front().gain);
  EXPECT_EQ(verdict->remedies.front().gain->after, kWarmRate);
}

TEST(ColdRuns, PagesThatWereThereAreNoFault) {
  Situation warm = steady_situation();
  EXPECT_FALSE(judge_cold_runs(warm, cold_situation(), kWarmRate));
}

TEST(ColdRuns, ASlowFirstRunAloneIsNoFault) {
  EXPECT_FALSE(judge_cold_runs(cold_situation(), steady_situation(), kWarmRate));
}

TEST(ColdRuns, ASlowRunThatReadNothingFromStorageIsAnothersFault) {
  Situation found = cold_situation();
  found.machine.storage_bytes = 0;
  EXPECT_FALSE(judge_cold_runs(found, cold_situation(), kWarmRate));
}

TEST(ColdRuns, AnUnpacedRunIsJudgedByItsRate) {
  Situation found = cold_situation();
  found.stall = 1;
  EXPECT_NEAR(at_pace_of(found, 0).stall, 0.6, 1e-9) << "320 of 800 clips/s";
  EXPECT_EQ(at_pace_of(found, 0.02).stall, 1) << "measured at that step";
}

}  // namespace
}  // namespace seda::diagnose
