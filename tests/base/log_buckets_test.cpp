// SPDX-License-Identifier: Apache-2.0
#include "seda/base/log_buckets.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "seda/base/random.h"

namespace seda {
namespace {

TEST(LogBuckets, EachNumberLiesInItsNarrowBucket) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const double value = std::pow(2.0, random.uniform(-1000, 1000)) * (i % 2 == 0 ? 1 : -1);
    LogBuckets counts;
    counts.add(value);
    const auto buckets = counts.buckets();
    ASSERT_EQ(buckets.size(), 1u);
    EXPECT_LE(buckets[0].low, value);
    EXPECT_GE(buckets[0].high, value);
    EXPECT_LE(buckets[0].high - buckets[0].low, 0.004 * std::abs(value));
  }
}

TEST(LogBuckets, BucketsRiseAndDoNotOverlap) {
  Random random(2);
  LogBuckets counts;
  for (int i = 0; i < 5000; ++i)
    counts.add(random.uniform(-10, 10));
  const auto buckets = counts.buckets();
  for (size_t i = 1; i < buckets.size(); ++i)
    EXPECT_LE(buckets[i - 1].high, buckets[i].low);
}

TEST(LogBuckets, ZeroHasABucketOfItsOwn) {
  LogBuckets counts;
  for (const double value : {0.0, -0.0, std::numeric_limits<double>::denorm_min(), 1.0, -1.0})
    counts.add(value);
  const auto buckets = counts.buckets();
  ASSERT_EQ(buckets.size(), 3u);
  EXPECT_EQ(buckets[1].low, 0);
  EXPECT_EQ(buckets[1].high, 0);
  EXPECT_EQ(buckets[1].count, 3u);
}

TEST(LogBuckets, LargestNumberHasABucket) {
  LogBuckets counts;
  counts.add(std::numeric_limits<double>::max());
  counts.add(std::numeric_limits<double>::lowest());
  EXPECT_EQ(counts.buckets().size(), 2u);
}

}  // namespace
}  // namespace seda
