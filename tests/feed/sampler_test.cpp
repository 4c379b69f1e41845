// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/sampler.h"

#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/feed/made_lengths.h"
#include "tests/support/error_message.h"

namespace seda::feed {
namespace {

using testing::HasSubstr;
using testing_support::error_message;

/// A batch that outlives the sampler's next step.
struct Taken {
  uint32_t bucket = 0;
  std::vector<uint32_t> clips;
  size_t repeats = 0;
  uint64_t step = 0;

  bool operator==(const Taken&) const = default;
};

Sampler make_sampler(size_t clips, SamplerOptions options, int batch_size = 16) {
  const auto lengths = made_lengths(clips, 100, 800);
  BucketOptions shapes;
  shapes.batch_size = batch_size;
  shapes.ranks = options.ranks;
  return {lengths, choose_buckets(lengths, shapes), options};
}

/// Until the end of so many epochs; the end is a batch without clips.
std::vector<Taken> take_epochs(Sampler& sampler, int epochs) {
  std::vector<Taken> out;
  while (epochs > 0) {
    const auto batch = sampler.next();
    if (!batch) --epochs;
    out.push_back(batch ? Taken{batch->bucket,
                                {batch->clips.begin(), batch->clips.end()},
                                batch->repeats,
                                batch->step}
                        : Taken{});
  }
  return out;
}

TEST(Sampler, EndsEachEpochOnceAndGoesOn) {
  Sampler sampler = make_sampler(100, {.seed = 1});
  ASSERT_EQ(sampler.batches_per_epoch(), 7u);
  const auto taken = take_epochs(sampler, 2);
  ASSERT_EQ(taken.size(), 16u);
  EXPECT_TRUE(taken[7].clips.empty());
  EXPECT_NE(taken[0], taken[8]);
  EXPECT_EQ(taken[8].step, 7u);
  EXPECT_EQ(sampler.state(), (SamplerState{2, 0}));
}

TEST(Sampler, ResumedAtAnyStepGoesOnAsIfItNeverStopped) {
  Sampler whole = make_sampler(300, {.seed = 9});
  const auto expected = take_epochs(whole, 3);
  Sampler sampler = make_sampler(300, {.seed = 9});
  for (size_t at = 0; at < expected.size(); ++at) {
    Sampler resumed = make_sampler(300, {.seed = 9});
    resumed.seek(sampler.state());
    const int left = 3 - static_cast<int>(sampler.state().epoch);
    EXPECT_EQ(take_epochs(resumed, left),
              std::vector<Taken>(expected.begin() + static_cast<ptrdiff_t>(at), expected.end()))
        << "at " << at;
    sampler.next();
  }
}

TEST(Sampler, SeeksBackwards) {
  Sampler sampler = make_sampler(300, {.seed = 9});
  const auto expected = take_epochs(sampler, 2);
  sampler.seek({});
  EXPECT_EQ(take_epochs(sampler, 2), expected);
}

TEST(Sampler, OfTwoRanksTakesEveryOtherRowOfOne) {
  Sampler one = make_sampler(333, {.seed = 4});
  Sampler even = make_sampler(333, {.seed = 4, .rank = 0, .ranks = 2}, 8);
  Sampler odd = make_sampler(333, {.seed = 4, .rank = 1, .ranks = 2}, 8);
  size_t repeats = 0;
  while (const auto batch = one.next()) {
    const auto a = even.next();
    const auto b = odd.next();
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->bucket, batch->bucket);
    EXPECT_EQ(b->bucket, batch->bucket);
    ASSERT_EQ(a->clips.size(), 8u);
    for (size_t i = 0; i < 8; ++i) {
      EXPECT_EQ(a->clips[i], batch->clips[2 * i]);
      EXPECT_EQ(b->clips[i], batch->clips[2 * i + 1]);
    }
    EXPECT_EQ(a->repeats + b->repeats, batch->repeats);
    repeats += batch->repeats;
  }
  EXPECT_FALSE(even.next());
  EXPECT_EQ(repeats, 336u - 333u);
}

TEST(Sampler, OfAFrameBudgetGivesAllRanksTheSameShapeInEachStep) {
  const auto lengths = made_lengths(400, 100, 800);
  BucketOptions shapes;
  shapes.frame_budget = 2400;
  shapes.ranks = 3;
  const auto buckets = choose_buckets(lengths, shapes);
  std::vector<Sampler> ranks;
  for (int rank = 0; rank < 3; ++rank)
    ranks.emplace_back(lengths, buckets, SamplerOptions{.seed = 4, .rank = rank, .ranks = 3});
  std::set<size_t> sizes;
  std::map<uint32_t, int> fed;
  while (const auto batch = ranks[0].next()) {
    const uint32_t bucket = batch->bucket;
    const size_t size = batch->clips.size();
    sizes.insert(size);
    EXPECT_EQ(size, static_cast<size_t>(2400 / buckets[bucket].frames));
    for (const uint32_t clip : batch->clips)
      ++fed[clip];
    for (int rank = 1; rank < 3; ++rank) {
      const auto other = ranks[static_cast<size_t>(rank)].next();
      ASSERT_TRUE(other);
      EXPECT_EQ(other->bucket, bucket);
      EXPECT_EQ(other->clips.size(), size);
      for (const uint32_t clip : other->clips)
        ++fed[clip];
    }
  }
  EXPECT_FALSE(ranks[1].next() || ranks[2].next());
  EXPECT_GT(sizes.size(), 2u);
  EXPECT_EQ(fed.size(), 400u);
}

TEST(Sampler, ReplacesTheSameClipForAnyRankSplit) {
  Sampler one = make_sampler(333, {.seed = 4});
  Sampler odd = make_sampler(333, {.seed = 4, .rank = 1, .ranks = 2}, 8);
  const auto batch = one.next();
  const auto half = odd.next();
  for (size_t row = 0; row < 8; ++row) {
    const auto found = odd.replacement(*half, row, 1);
    ASSERT_TRUE(found);
    EXPECT_NE(*found, half->clips[row]);
    EXPECT_EQ(found, one.replacement(*batch, 2 * row + 1, 1));
  }
}

TEST(Sampler, ReplacesByAClipOfTheSameBucket) {
  const auto lengths = made_lengths(500, 100, 800);
  const auto buckets = choose_buckets(lengths, {});
  Sampler sampler(lengths, buckets, {.seed = 1});
  while (const auto batch = sampler.next())
    EXPECT_EQ(bucket_of(lengths[sampler.replacement(*batch, 0, 0).value()], buckets),
              static_cast<int>(batch->bucket));
}

TEST(Sampler, OfOneClipRepeatsIt) {
  Sampler sampler = make_sampler(1, {});
  const auto batch = sampler.next();
  ASSERT_TRUE(batch);
  EXPECT_EQ(std::vector(batch->clips.begin(), batch->clips.end()), std::vector<uint32_t>(16, 0));
  EXPECT_EQ(batch->repeats, 15u);
  EXPECT_FALSE(sampler.replacement(*batch, 0, 0));
  EXPECT_FALSE(sampler.next());
}

TEST(Sampler, OfOneBucketCutsItIntoBatches) {
  Sampler sampler(std::vector<ClipLength>(40, {0, 5, 50}), {{5, 50, 16}}, {});
  EXPECT_EQ(sampler.batches_per_epoch(), 3u);
  EXPECT_EQ(sampler.plan().repeats, 8u);
}

TEST(Sampler, OfNoClipSaysWhatToDo) {
  EXPECT_THAT(error_message([] { Sampler({}, {}, {}); }), HasSubstr("seda prepare"));
  EXPECT_THAT(error_message([] { Sampler({}, {{5, 50, 16}}, {}); }), HasSubstr("seda prepare"));
}

TEST(Sampler, ThatWouldDropEverythingSaysWhatToDo) {
  EXPECT_THAT(error_message([] { make_sampler(9, {.drop_last = true}); }),
              HasSubstr("lower data.batch_size"));
}

TEST(Sampler, RefusesAStateOfAnotherCorpus) {
  Sampler sampler = make_sampler(100, {});
  sampler.seek({5, 7});
  EXPECT_FALSE(sampler.next()) << "the end of the epoch";
  const auto before = sampler.state();
  EXPECT_THAT(error_message([&] { sampler.seek({1, 8}); }),
              HasSubstr("expected at most 7 batches in an epoch, found position 8"));
  EXPECT_EQ(sampler.state(), before);
}

TEST(Sampler, RefusesARankThatIsNone) {
  EXPECT_THAT(error_message([] { make_sampler(9, {.rank = 2, .ranks = 2}); }),
              HasSubstr("expected a rank from 0 to 1, found 2"));
}

}  // namespace
}  // namespace seda::feed
