// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/epoch_plan.h"

#include <algorithm>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/feed/made_lengths.h"
#include "tests/support/error_message.h"

namespace seda::feed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::error_message;

/// A corpus, its buckets and its groups.
struct Made {
  explicit Made(size_t clips, BucketOptions options = {})
      : lengths(made_lengths(clips, 100, 800)),
        buckets(choose_buckets(lengths, options)),
        groups(lengths, buckets) {}

  EpochPlan plan(const SamplerOptions& options, uint64_t epoch = 0) const {
    return plan_epoch(groups, buckets, options, epoch);
  }

  std::vector<ClipLength> lengths;
  std::vector<Bucket> buckets;
  ClipGroups groups;
};

/// How often each clip is fed as what it is, not as a repeat.
std::vector<int> counts(const EpochPlan& plan, size_t clips) {
  std::vector<int> out(clips);
  for (const GlobalBatch& batch : plan.batches)
    for (const uint32_t clip : plan.clips_of(batch).first(batch.size - batch.repeats))
      ++out[clip];
  return out;
}

TEST(SamplerPlan, FeedsEveryClipOncePlusCountedRepeats) {
  for (const size_t clips : {1u, 15u, 16u, 17u, 500u, 3001u}) {
    const Made made(clips);
    for (const bool shuffle : {true, false}) {
      const EpochPlan plan = made.plan({.seed = 5, .shuffle = shuffle});
      EXPECT_EQ(counts(plan, clips), std::vector<int>(clips, 1)) << clips;
      EXPECT_LT(plan.repeats, 16u);
      EXPECT_EQ(plan.batches.size() * 16, clips + plan.repeats);
      EXPECT_EQ(plan.dropped, 0u);
    }
  }
}

TEST(SamplerPlan, KeepsToTheShapes) {
  const Made made(2000);
  const EpochPlan plan = made.plan({.seed = 5});
  for (const GlobalBatch& batch : plan.batches) {
    const Bucket& bucket = made.buckets[batch.bucket];
    ASSERT_EQ(batch.size, 16u);
    for (const uint32_t clip : plan.clips_of(batch)) {
      EXPECT_LE(made.lengths[clip].frames, bucket.frames);
      EXPECT_LE(made.lengths[clip].tokens, bucket.tokens);
    }
  }
  EXPECT_LT(plan.carried, 16 * made.buckets.size());
}

TEST(SamplerPlan, RepeatsNoClipWithinABatchWhereThereAreEnough) {
  const Made made(1003);
  const EpochPlan plan = made.plan({.seed = 3});
  ASSERT_GT(plan.repeats, 0u);
  for (const GlobalBatch& batch : plan.batches) {
    const auto clips = plan.clips_of(batch);
    EXPECT_EQ(std::set(clips.begin(), clips.end()).size(), batch.size);
  }
}

TEST(SamplerPlan, DropsWhatFillsNoBatchWhereAsked) {
  const Made made(1003);
  const EpochPlan plan = made.plan({.seed = 3, .drop_last = true});
  EXPECT_EQ(plan.dropped, 1003u % 16);
  EXPECT_EQ(plan.repeats, 0u);
  EXPECT_EQ(plan.batches.size(), 1003u / 16);
}

TEST(SamplerPlan, DependsOnSeedAndEpochAlone) {
  const Made made(500);
  const EpochPlan plan = made.plan({.seed = 7}, 3);
  EXPECT_EQ(plan, made.plan({.seed = 7}, 3));
  EXPECT_NE(plan, made.plan({.seed = 7}, 4));
  EXPECT_NE(plan, made.plan({.seed = 8}, 3));
  EXPECT_EQ(plan.batches.size(), made.plan({.seed = 8}, 9).batches.size());
}

TEST(SamplerPlan, WithoutShufflingIsInOrderInAllEpochs) {
  const Made made(500);
  const EpochPlan plan = made.plan({.seed = 7, .shuffle = false}, 3);
  EXPECT_EQ(plan, made.plan({.seed = 8, .shuffle = false}, 4));
  EXPECT_TRUE(std::ranges::is_sorted(plan.batches, {}, &GlobalBatch::bucket));
}

TEST(SamplerPlan, IsTheSameForAnyRankSplit) {
  BucketOptions one;
  BucketOptions two;
  two.batch_size = 8;
  two.ranks = 2;
  BucketOptions sixteen;
  sixteen.batch_size = 1;
  sixteen.ranks = 16;
  const EpochPlan plan = Made(700, one).plan({.seed = 2, .ranks = 1});
  EXPECT_EQ(plan, Made(700, two).plan({.seed = 2, .ranks = 2}));
  EXPECT_EQ(plan, Made(700, sixteen).plan({.seed = 2, .rank = 9, .ranks = 16}));
}

TEST(SamplerPlan, FillsABatchLargerThanTheCorpusByGoingRound) {
  const Made made(3);
  const EpochPlan plan = made.plan({.shuffle = false});
  ASSERT_EQ(plan.batches.size(), 1u);
  EXPECT_EQ(plan.repeats, 13u);
  EXPECT_THAT(plan.clips, ElementsAre(0, 1, 2, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2));
}

TEST(SamplerPlan, MixesShortAndLongBatches) {
  const EpochPlan plan = Made(2000).plan({.seed = 1});
  EXPECT_FALSE(std::ranges::is_sorted(plan.batches, {}, &GlobalBatch::bucket));
}

TEST(SamplerPlan, RefusesBucketsThatDoNotFit) {
  const std::vector<ClipLength> lengths = {{4, 10, 100}};
  const auto group = [&](std::vector<Bucket> buckets) {
    return error_message([&] { ClipGroups(lengths, buckets); });
  };
  EXPECT_THAT(group({{10, 99, 1}}), HasSubstr("row 4: expected a bucket for 10 tokens"));
  EXPECT_THAT(group({{10, 200, 1}, {10, 100, 1}}), HasSubstr("ascend"));
  EXPECT_THAT(group({{20, 100, 1}, {10, 200, 1}}), HasSubstr("ascend"));
  EXPECT_THAT(group({{10, 100, 0}}), HasSubstr("at least 1"));
}

// The order is part of what a checkpoint means: a change of it must be noticed.
TEST(SamplerPlan, OfAFixedSeedIsAsItAlwaysWas) {
  const std::vector<ClipLength> lengths = {{0, 5, 10}, {1, 5, 20}, {2, 5, 10}, {3, 5, 20},
                                           {4, 5, 10}, {5, 5, 20}, {6, 5, 10}, {7, 5, 20},
                                           {8, 5, 10}, {9, 5, 20}, {10, 5, 20}};
  const std::vector<Bucket> buckets = {{5, 10, 2}, {5, 20, 2}};
  const EpochPlan plan = plan_epoch(ClipGroups(lengths, buckets), buckets, {.seed = 42}, 1);
  std::vector<std::vector<uint32_t>> batches;
  for (const GlobalBatch& batch : plan.batches) {
    const auto clips = plan.clips_of(batch);
    batches.emplace_back(clips.begin(), clips.end());
  }
  EXPECT_THAT(batches, ElementsAre(ElementsAre(0, 8), ElementsAre(6, 9), ElementsAre(10, 7),
                                   ElementsAre(2, 4), ElementsAre(5, 3), ElementsAre(1, 9)));
  EXPECT_EQ(plan.repeats, 1u);
}

TEST(SamplerReplacement, GoesThroughAllOtherClipsOnce) {
  const std::vector<uint32_t> own = {3, 5, 8, 13, 21, 34, 55};
  for (const uint32_t bad : {3u, 13u, 55u, 4u}) {
    std::set<uint32_t> expected(own.begin(), own.end());
    expected.erase(bad);
    std::set<uint32_t> found;
    for (uint64_t attempt = 0; attempt < expected.size(); ++attempt)
      found.insert(replacement(own, bad, 1, {2, 3, 4}, attempt).value());
    EXPECT_EQ(found, expected);
    EXPECT_FALSE(replacement(own, bad, 1, {2, 3, 4}, expected.size()));
  }
}

TEST(SamplerReplacement, DependsOnThePositionAlone) {
  std::vector<uint32_t> own(1000);
  std::iota(own.begin(), own.end(), 0u);
  const auto first = replacement(own, 7, 1, {2, 3, 4}, 0);
  EXPECT_EQ(first, replacement(own, 7, 1, {2, 3, 4}, 0));
  EXPECT_NE(first, replacement(own, 7, 2, {2, 3, 4}, 0));
  EXPECT_NE(first, replacement(own, 7, 1, {3, 3, 4}, 0));
  EXPECT_NE(first, replacement(own, 7, 1, {2, 4, 4}, 0));
  EXPECT_NE(first, replacement(own, 7, 1, {2, 3, 5}, 0));
}

TEST(SamplerReplacement, OfTheOnlyClipIsNone) {
  const std::vector<uint32_t> own = {3};
  EXPECT_FALSE(replacement(own, 3, 1, {}, 0));
  EXPECT_EQ(replacement(own, 4, 1, {}, 0), 3u);
  EXPECT_FALSE(replacement({}, 3, 1, {}, 0));
}

}  // namespace
}  // namespace seda::feed
