// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/feed_plan.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "tests/feed/memory_source.h"
#include "tests/support/error_message.h"

namespace seda::feed {
namespace {

using dataset::Split;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing_support::error_message;

const audio::MelOptions kMel;

ClipRow row(uint32_t symbols, uint64_t frames, Split split = Split::train) {
  ClipRow out;
  out.symbols = symbols;
  out.tokens = 2 * symbols + 1;
  out.samples = frames * 256;
  out.split = static_cast<uint32_t>(split);
  return out;
}

/// Training clips of 10, 20, … 400 frames and one of validation that is the longest of all.
std::vector<ClipRow> corpus() {
  std::vector<ClipRow> rows;
  for (uint32_t i = 1; i <= 40; ++i)
    rows.push_back(row(2 * i, uint64_t{10} * i));
  rows.push_back(row(100, 500, Split::validation));
  return rows;
}

FeedOptions options(int batch_size, bool fixed_shapes = true) {
  FeedOptions out;
  out.batch_size = batch_size;
  out.fixed_shapes = fixed_shapes;
  return out;
}

FeedOptions by_frames(int batch_frames) {
  FeedOptions out = options(3);
  out.batch_frames = batch_frames;
  return out;
}

TEST(FeedPlan, ListsTheSplitThatIsFed) {
  FeedOptions validation = options(1);
  validation.split = Split::validation;
  EXPECT_EQ(plan_feed(corpus(), kMel, options(4)).lengths.clips.size(), 40U);
  EXPECT_EQ(plan_feed(corpus(), kMel, validation).lengths.clips,
            (std::vector<ClipLength>{{40, 201, 500}}));
}

TEST(FeedPlan, GivesBothSplitsTheSameBuckets) {
  FeedOptions validation = options(4);
  validation.split = Split::validation;
  const FeedPlan plan = plan_feed(corpus(), kMel, options(4));
  EXPECT_EQ(plan.buckets, plan_feed(corpus(), kMel, validation).buckets);
  EXPECT_GT(plan.buckets.size(), 1U);
  EXPECT_GE(plan.buckets.back().frames, 500);
  EXPECT_GE(plan.buckets.back().tokens, 201);
}

TEST(FeedPlan, WithoutFixedShapesHasOneBucketOfTheLongest) {
  const FeedPlan plan = plan_feed(corpus(), kMel, options(4, false));
  EXPECT_EQ(plan.buckets, (std::vector<Bucket>{{201, 500, 4}}));
}

TEST(FeedPlan, WithAFrameBudgetDoesNotLookAtTheBatchSize) {
  const FeedPlan plan = plan_feed(corpus(), kMel, by_frames(1000));
  ASSERT_GT(plan.buckets.size(), 1U);
  for (const Bucket& bucket : plan.buckets)
    EXPECT_EQ(bucket.batch_size, 1000 / bucket.frames);
  FeedOptions other = by_frames(1000);
  other.batch_size = 64;
  EXPECT_EQ(plan_feed(corpus(), kMel, other).buckets, plan.buckets);
}

TEST(FeedPlan, WithAFrameBudgetGivesEachRankAsMuch) {
  FeedOptions two = by_frames(300);
  two.order.ranks = 2;
  const FeedPlan plan = plan_feed(corpus(), kMel, two);
  for (const Bucket& bucket : plan.buckets)
    EXPECT_EQ(bucket.batch_size, std::max(1, 300 / bucket.frames));
}

TEST(FeedPlan, ShowsTheClipsOfEachShapeOfAFrameBudget) {
  FeedOptions two_shapes = by_frames(1000);
  two_shapes.num_buckets = 2;
  const FeedPlan plan = plan_feed(corpus(), kMel, two_shapes);
  const Bucket& small = plan.buckets.front();
  const Bucket& large = plan.buckets.back();
  EXPECT_THAT(describe(plan, two_shapes),
              ElementsAre(HasSubstr("40 of 40 are fed"),
                          HasSubstr(fmt::format("shapes (clips of text x mel): {} of {}x{}, {} of "
                                                "{}x{};",
                                                1000 / small.frames, small.tokens, small.frames,
                                                1000 / large.frames, large.tokens, large.frames)),
                          HasSubstr("in the largest, for a budget of 1000 frames")));
  EXPECT_EQ(describe(plan_feed(corpus(), kMel, options(4)), options(4)).size(), 2U);
}

TEST(FeedPlan, SaysWhereAFrameBudgetIsLessThanAClip) {
  const FeedOptions small = by_frames(300);
  const auto lines = describe(plan_feed(corpus(), kMel, small), small);
  EXPECT_THAT(lines.back(), HasSubstr("shapes are longer than it: batches of one clip there"));
  const FeedOptions large = by_frames(3000);
  EXPECT_THAT(describe(plan_feed(corpus(), kMel, large), large).back(),
              Not(HasSubstr("batches of one")));
}

TEST(FeedPlan, AFrameBudgetNeedsFixedShapes) {
  FeedOptions free = by_frames(1000);
  free.fixed_shapes = false;
  EXPECT_THAT(error_message([&] { plan_feed(corpus(), kMel, free); }), HasSubstr("fixed shapes"));
}

TEST(FeedPlan, KeepsCutClipsWithinTheLimits) {
  FeedOptions cut = options(4);
  cut.limits = {20, 100, Overlong::truncate};
  const FeedPlan plan = plan_feed(corpus(), kMel, cut);
  EXPECT_EQ(plan.buckets.back().tokens, 41);
  EXPECT_EQ(plan.buckets.back().frames, 100);
  EXPECT_EQ(plan.lengths.report.cut_mel, 30U);
}

TEST(FeedPlan, PadsLessInBucketsThanInOneShape) {
  const PaddingReport padding = plan_feed(corpus(), kMel, options(4)).padding;
  EXPECT_LT(padding.buckets.frames, padding.one_shape.frames);
}

TEST(FeedPlan, NothingToFeedIsAnError) {
  EXPECT_THROW(plan_feed({}, kMel, options(4)), Error);
}

TEST(FeedPlan, AFixedShapeIsTheBuckets) {
  const FeedPlan plan = plan_feed(corpus(), kMel, options(4));
  const std::vector<uint32_t> clips = {0, 1, 2, 3};
  const BatchPlan batch{.bucket = 1, .clips = clips};
  EXPECT_EQ(shape_of(batch, plan, true, 80),
            (BatchShape{4, plan.buckets[1].tokens, plan.buckets[1].frames, 80}));
}

TEST(FeedPlan, AFreeShapeIsThatOfTheLongestOfTheBatch) {
  std::vector<ClipRow> rows = {row(50, 10), row(5, 100), row(7, 20), row(90, 300)};
  const FeedPlan plan = plan_feed(rows, kMel, options(3, false));
  const std::vector<uint32_t> clips = {2, 0, 1};
  EXPECT_EQ(shape_of({.clips = clips}, plan, false, 80), (BatchShape{3, 101, 100, 80}));
}

TEST(FeedPlan, ADigestTellsClipsBucketsAndBatchesApart) {
  const MemorySource source(40);
  const auto digest = [](const MemorySource& clips, const FeedOptions& how) {
    return order_digest(plan_feed(clips.rows(), clips.mel(), how), clips, how.order.ranks);
  };
  FeedOptions base = options(8);
  base.num_buckets = 3;
  EXPECT_EQ(digest(source, base), digest(MemorySource(40), base));
  EXPECT_NE(digest(source, base), digest(MemorySource(40, 2), base));  // other lengths
  EXPECT_NE(digest(source, base), digest(MemorySource(39), base));
  FeedOptions other = base;
  other.num_buckets = 2;
  EXPECT_NE(digest(source, base), digest(source, other));
  other = base;
  other.batch_size = 4;
  EXPECT_NE(digest(source, base), digest(source, other));
  other.order.ranks = 2;  // the same batches of all ranks
  EXPECT_EQ(digest(source, base), digest(source, other));
}

}  // namespace
}  // namespace seda::feed
