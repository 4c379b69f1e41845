// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/batch_times.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace seda::diagnose {
namespace {

using testing::DoubleNear;
using testing::Gt;
using testing::Optional;

std::vector<BatchTime> times_of(std::initializer_list<double> seconds, uint32_t bucket = 0) {
  std::vector<BatchTime> out;
  for (const double time : seconds)
    out.push_back({time, bucket});
  return out;
}

TEST(BatchTimes, OfNoneAreZero) {
  const BatchTimes none = summarize({});
  EXPECT_EQ(none.batches, 0u);
  EXPECT_EQ(none.mean, 0);
  EXPECT_EQ(none.variation, std::nullopt);
}

TEST(BatchTimes, AreSummarized) {
  const BatchTimes times = summarize(times_of({0.1, 0.2, 0.3, 0.4}));
  EXPECT_EQ(times.batches, 4u);
  EXPECT_DOUBLE_EQ(times.mean, 0.25);
  EXPECT_DOUBLE_EQ(times.median, 0.25);
  EXPECT_DOUBLE_EQ(times.min, 0.1);
  EXPECT_DOUBLE_EQ(times.max, 0.4);
  EXPECT_NEAR(times.std, 0.129099, 1e-6);
  EXPECT_NEAR(times.p95, 0.385, 1e-9);
  EXPECT_NEAR(times.p99, 0.397, 1e-9);
  EXPECT_THAT(times.variation, Optional(DoubleNear(0.129099 / 0.25, 1e-5)));
  EXPECT_THAT(times.robust_variation, Optional(DoubleNear(1.4826 * 0.1 / 0.25, 1e-9)));
}

TEST(BatchTimes, OfDifferentShapesDoNotVaryByThat) {
  std::vector<BatchTime> times;
  for (int i = 0; i < 10; ++i) {
    times.push_back({0.1, 0});
    times.push_back({0.9, 1});
  }
  times.push_back({5, 2});  // alone in its bucket
  EXPECT_THAT(summarize(times).variation, Optional(DoubleNear(0, 1e-12)));
  EXPECT_FALSE(summarize(times).oscillation.found);
}

TEST(BatchTimes, OfShapesThatCameOnceSayNothingOfVariation) {
  const BatchTimes once = summarize(std::vector<BatchTime>{{0.1, 0}, {0.2, 1}, {0.3, 2}});
  EXPECT_EQ(once.variation, std::nullopt);
  EXPECT_EQ(once.robust_variation, std::nullopt);
}

TEST(BatchTimes, AreWeightedByTheBatchesOfABucket) {
  std::vector<BatchTime> times = times_of({1, 1, 1, 1, 1, 1}, 0);
  for (const BatchTime& time : times_of({1, 3}, 1))
    times.push_back(time);
  EXPECT_THAT(summarize(times).variation, Optional(DoubleNear(2.0 / 8 * (1.41421356 / 2), 1e-6)));
}

TEST(BatchTimes, OneSlowBatchLeavesTheRobustVariation) {
  std::vector<BatchTime> times(50, BatchTime{0.1, 0});
  times[20].seconds = 3;
  const BatchTimes summary = summarize(times);
  EXPECT_THAT(summary.variation, Optional(Gt(1)));
  EXPECT_EQ(summary.robust_variation, 0);
}

TEST(BatchTimes, HaveThePeriodOfTheirOscillationInSeconds) {
  std::vector<BatchTime> times;
  for (int i = 0; i < 100; ++i)
    times.push_back({i % 10 < 5 ? 0.01 : 0.03, 0});
  const BatchTimes summary = summarize(times);
  EXPECT_TRUE(summary.oscillation.found);
  EXPECT_NEAR(summary.period_s, 0.2, 0.01);
}

TEST(BatchTimes, DoNotOscillateWhereTheyHardlyVary) {
  const auto found = [](double swing) {
    std::vector<BatchTime> times;
    for (int i = 0; i < 100; ++i)
      times.push_back({i % 10 < 5 ? 0.02 : 0.02 * (1 + swing), 0});
    return summarize(times).oscillation;
  };
  EXPECT_FALSE(found(0.01).found);
  EXPECT_LT(found(0.01).p_value, kSignificance);
  EXPECT_TRUE(found(0.1).found);
}

}  // namespace
}  // namespace seda::diagnose
