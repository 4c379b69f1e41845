// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/padding.h"

#include <gtest/gtest.h>

#include "tests/feed/made_lengths.h"

namespace seda::feed {
namespace {

const std::vector<ClipLength> kTwo = {{0, 10, 100}, {1, 40, 300}};

TEST(BucketPadding, IsPaddedOverAll) {
  const Padding one = padding_in_one_shape(kTwo, 50, 400);
  EXPECT_DOUBLE_EQ(one.frames, 0.5);
  EXPECT_DOUBLE_EQ(one.tokens, 0.5);
  const Padding buckets = padding_in_buckets(kTwo, std::vector<Bucket>{{10, 100, 1}, {50, 400, 1}});
  EXPECT_DOUBLE_EQ(buckets.frames, 0.2);
  EXPECT_DOUBLE_EQ(buckets.tokens, 1 - 50.0 / 60);
}

TEST(BucketPadding, ByBatchIsToTheLongestOfEach) {
  EXPECT_DOUBLE_EQ(padding_by_batch(kTwo, 1).frames, 0);
  EXPECT_DOUBLE_EQ(padding_by_batch(kTwo, 2).frames, 1 - 400.0 / 600);
  EXPECT_DOUBLE_EQ(padding_by_batch(kTwo, 16).tokens, 1 - 50.0 / 80);
}

TEST(BucketPadding, OfNothingIsNone) {
  EXPECT_EQ(padding_in_one_shape({}, 10, 10).frames, 0);
  EXPECT_EQ(padding_by_batch({}, 10).frames, 0);
  EXPECT_EQ(padding_in_buckets({}, {}).tokens, 0);
}

TEST(BucketPadding, FallsFromOneShapeToBatchesToBuckets) {
  const auto lengths = made_lengths(3000, 100, 800);
  const BucketOptions options;
  const auto report = report_padding(lengths, choose_buckets(lengths, options), options);
  EXPECT_LT(report.by_batch.frames, report.one_shape.frames);
  EXPECT_LT(report.buckets.frames, report.by_batch.frames);
  EXPECT_LT(report.buckets.tokens, report.one_shape.tokens);
}

}  // namespace
}  // namespace seda::feed
