// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/buckets.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/feed/padding.h"
#include "tests/feed/made_lengths.h"
#include "tests/support/error_message.h"

namespace seda::feed {
namespace {

using testing::HasSubstr;
using testing_support::error_message;

using Lengths = std::vector<ClipLength>;

/// Room that the clips take, tokens by their weight; each where `bucket_of` puts it.
double room_of(const Lengths& lengths, const std::vector<Bucket>& buckets, double weight) {
  double room = 0;
  for (const ClipLength& length : lengths) {
    const int found = bucket_of(length, buckets);
    if (found < 0) return -1;
    const Bucket& bucket = buckets[static_cast<size_t>(found)];
    room += bucket.frames + weight * bucket.tokens;
  }
  return room;
}

size_t clips_in(const Lengths& lengths, const std::vector<Bucket>& buckets, size_t bucket) {
  return static_cast<size_t>(std::ranges::count_if(lengths, [&](const ClipLength& length) {
    return bucket_of(length, buckets) == static_cast<int>(bucket);
  }));
}

/// Clips in a batch of so many frames each, counted one by one.
int naive_batch(int frames, const BucketOptions& options) {
  if (options.frame_budget == 0) return options.batch_size;
  int clips = 1;
  while ((clips + 1) * frames <= options.frame_budget)
    ++clips;
  return clips;
}

/// Every bucket that ends at a clip's frames, with the longest text up to there.
std::vector<Bucket> all_ends(Lengths lengths, const BucketOptions& options) {
  std::ranges::sort(lengths, {}, &ClipLength::frames);
  std::vector<Bucket> out;
  int tokens = 0;
  for (const ClipLength& length : lengths) {
    tokens = std::max(tokens, length.tokens);
    if (!out.empty() && out.back().frames == length.frames) out.pop_back();
    out.push_back({tokens, length.frames, naive_batch(length.frames, options)});
  }
  return out;
}

/// The least room over all choices of at most `num_buckets` ends that leave none short of a batch.
double brute_force(const Lengths& lengths, const BucketOptions& options) {
  const auto ends = all_ends(lengths, options);
  double least = room_of(lengths, {ends.back()}, options.token_weight);
  for (uint32_t chosen = 0; chosen < 1u << (ends.size() - 1); ++chosen) {
    std::vector<Bucket> buckets;
    for (size_t i = 0; i + 1 < ends.size(); ++i)
      if ((chosen >> i & 1) != 0) buckets.push_back(ends[i]);
    buckets.push_back(ends.back());
    if (buckets.size() > static_cast<size_t>(options.num_buckets)) continue;
    bool full = true;
    for (size_t i = 0; i < buckets.size(); ++i)
      full = full && clips_in(lengths, buckets, i) >=
                         static_cast<size_t>(buckets[i].batch_size * options.ranks);
    if (full) least = std::min(least, room_of(lengths, buckets, options.token_weight));
  }
  return least;
}

BucketOptions exact(int num_buckets, int batch_size) {
  BucketOptions options;
  options.num_buckets = num_buckets;
  options.batch_size = batch_size;
  options.frame_multiple = 1;
  options.token_multiple = 1;
  return options;
}

/// Calls `check(lengths, options)` for small corpora, numbers of buckets and sizes of batches: in
/// clips, and, from 20 on, in frames.
template <typename Check>
void for_small_cases(double token_weight, Check check) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const auto lengths = made_lengths(18, 20, 31, seed);
    for (const int num_buckets : {2, 3, 5}) {
      for (const int batch : {1, 3, 20, 70, 130}) {
        BucketOptions options = exact(num_buckets, std::min(batch, 3));
        options.frame_budget = batch < 20 ? 0 : batch;
        options.token_weight = token_weight;
        SCOPED_TRACE(testing::Message()
                     << "seed " << seed << ", " << num_buckets << " buckets, batches of " << batch);
        check(lengths, options);
      }
    }
  }
}

TEST(Buckets, PadFramesAsLittleAsTheBestOfAllChoices) {
  for_small_cases(0, [](const Lengths& lengths, const BucketOptions& options) {
    const auto buckets = choose_buckets(lengths, options);
    EXPECT_LE(buckets.size(), static_cast<size_t>(options.num_buckets));
    EXPECT_NEAR(room_of(lengths, buckets, 0), brute_force(lengths, options), 1e-6);
  });
}

TEST(Buckets, WithTextPadNoMoreThanTheBestDivisionByFrames) {
  for (const double weight : {0.1, 2.0}) {
    for_small_cases(weight, [&](const Lengths& lengths, const BucketOptions& options) {
      const auto buckets = choose_buckets(lengths, options);
      EXPECT_LE(room_of(lengths, buckets, weight), brute_force(lengths, options) + 1e-6);
      for (size_t i = 0; i < buckets.size(); ++i)
        EXPECT_GE(clips_in(lengths, buckets, i), static_cast<size_t>(buckets[i].batch_size));
    });
  }
}

TEST(Buckets, MoveUpAClipWithFarTooMuchText) {
  Lengths lengths = made_lengths(3000, 100, 800);
  const auto before = choose_buckets(lengths, {});
  lengths.push_back({3000, 401, 100});
  const auto buckets = choose_buckets(lengths, {});
  EXPECT_LE(buckets.front().tokens, before.front().tokens);
  EXPECT_EQ(bucket_of(lengths.back(), buckets), static_cast<int>(buckets.size()) - 1);
}

TEST(Buckets, AscendInBothSizesAndHoldEveryClip) {
  const auto lengths = made_lengths(5000, 40, 800);
  const auto buckets = choose_buckets(lengths, {});
  for (size_t i = 1; i < buckets.size(); ++i) {
    EXPECT_GT(buckets[i].frames, buckets[i - 1].frames);
    EXPECT_GE(buckets[i].tokens, buckets[i - 1].tokens);
  }
  for (const ClipLength& length : lengths)
    EXPECT_GE(bucket_of(length, buckets), 0);
}

TEST(Buckets, AreMultiplesOrTheLongestAllowed) {
  BucketOptions options;
  options.max_frames = 803;
  options.max_tokens = 333;
  const Lengths lengths = {{0, 10, 9}, {1, 333, 803}};
  options.batch_size = 1;
  const auto buckets = choose_buckets(lengths, options);
  EXPECT_EQ(buckets, (std::vector<Bucket>{{16, 16, 1}, {333, 803, 1}}));
}

TEST(Buckets, AreTheFewestWithinTheAimedPadding) {
  const auto lengths = made_lengths(20000, 400, 800);
  const auto buckets = choose_buckets(lengths, {});
  ASSERT_GT(buckets.size(), 2u);
  ASSERT_LT(buckets.size(), static_cast<size_t>(kMostBuckets));
  EXPECT_LE(padding_in_buckets(lengths, buckets).frames, kAimedPadding);
  BucketOptions fewer;
  fewer.num_buckets = static_cast<int>(buckets.size()) - 1;
  EXPECT_GT(padding_in_buckets(lengths, choose_buckets(lengths, fewer)).frames, kAimedPadding);
}

TEST(Buckets, StopAtTheMostWhereTheAimIsOutOfReach) {
  const auto lengths = made_lengths(20000, 1, 800);
  EXPECT_EQ(choose_buckets(lengths, {}).size(), static_cast<size_t>(kMostBuckets));
}

TEST(Buckets, OneIsTheLongestAllowed) {
  BucketOptions options;
  options.num_buckets = 1;
  EXPECT_EQ(choose_buckets(made_lengths(100, 20, 30), options),
            (std::vector<Bucket>{{401, 800, 16}}));
}

TEST(Buckets, OfTooFewClipsForABatchAreJoined) {
  Lengths lengths = made_lengths(64, 300, 300);
  lengths.push_back({64, 10, 20});
  lengths.push_back({65, 100, 700});
  BucketOptions options;
  options.num_buckets = 8;
  for (const int ranks : {1, 2}) {
    options.ranks = ranks;
    const auto buckets = choose_buckets(lengths, options);
    for (size_t i = 0; i < buckets.size(); ++i)
      EXPECT_GE(clips_in(lengths, buckets, i), static_cast<size_t>(16 * ranks));
    EXPECT_EQ(buckets.back().frames, 704);
  }
}

TEST(Buckets, OfACorpusSmallerThanABatchAreOne) {
  EXPECT_EQ(choose_buckets(Lengths{{0, 30, 100}}, {}), (std::vector<Bucket>{{32, 104, 16}}));
  EXPECT_EQ(choose_buckets(made_lengths(15, 20, 700), {}).size(), 1u);
}

TEST(Buckets, OfClipsAllAlikeAreOne) {
  EXPECT_EQ(choose_buckets(Lengths(100, {0, 40, 160}), {}), (std::vector<Bucket>{{40, 160, 16}}));
}

TEST(Buckets, TakeAsManyClipsAsTheFrameBudgetHolds) {
  BucketOptions options;
  options.frame_budget = 8000;
  const auto buckets = choose_buckets(made_lengths(5000, 40, 800), options);
  ASSERT_GT(buckets.size(), 2u);
  for (const Bucket& bucket : buckets)
    EXPECT_EQ(bucket.batch_size, naive_batch(bucket.frames, options));
  EXPECT_EQ(largest_batch(buckets), buckets.front().batch_size);
}

TEST(Buckets, LongerThanTheFrameBudgetHaveBatchesOfOne) {
  BucketOptions options;
  options.frame_budget = 400;
  const auto buckets = choose_buckets(made_lengths(500, 40, 800), options);
  EXPECT_GT(buckets.front().batch_size, 1);
  EXPECT_GT(buckets.back().frames, options.frame_budget);
  EXPECT_EQ(buckets.back().batch_size, 1);
}

TEST(Buckets, OfAVastFrameBudgetHaveNoMoreThanTheMostClips) {
  BucketOptions options;
  options.frame_budget = 1'000'000;
  const auto buckets = choose_buckets(made_lengths(20000, 20, 40), options);
  EXPECT_EQ(largest_batch(buckets), kMostClips);
}

TEST(MeanBatch, IsAllClipsOverTheBatchesTheyFill) {
  const std::vector<Bucket> buckets = {{10, 100, 8}, {20, 200, 4}};
  Lengths lengths(16, {0, 5, 90});   // two batches
  lengths.resize(24, {0, 15, 150});  // and two of the longer
  EXPECT_DOUBLE_EQ(mean_batch(lengths, buckets), 24.0 / 4);
  EXPECT_DOUBLE_EQ(mean_batch(lengths, std::vector<Bucket>{{20, 200, 16}}), 16);
  EXPECT_EQ(mean_batch({}, buckets), 0);
}

TEST(Buckets, OfVeryLongClipsStillHoldThem) {
  BucketOptions options;
  options.max_frames = 100000;
  options.max_tokens = 100000;
  const auto lengths = made_lengths(5000, 1000, 99999);
  const auto buckets = choose_buckets(lengths, options);
  for (const ClipLength& length : lengths)
    ASSERT_GE(bucket_of(length, buckets), 0);
  std::vector<Bucket> even;
  for (int i = 1; i <= kMostBuckets; ++i)
    even.push_back({100000, 100000 / kMostBuckets * i, 16});
  EXPECT_LT(padding_in_buckets(lengths, buckets).frames, padding_in_buckets(lengths, even).frames);
}

TEST(Buckets, OfNoClipSayWhatToDo) {
  try {
    choose_buckets({}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::check_failed);
    EXPECT_THAT(error.what(), HasSubstr("seda prepare"));
  }
}

TEST(Buckets, RefuseAClipOverTheLimits) {
  EXPECT_THAT(error_message([] { choose_buckets(Lengths{{7, 10, 801}}, {}); }),
              HasSubstr("row 7: expected 1 to 401 tokens and 1 to 800 frames, found 10 and 801"));
}

TEST(BucketOf, IsTheFirstWithRoomForBoth) {
  const std::vector<Bucket> buckets = {{10, 100, 1}, {20, 200, 1}};
  EXPECT_EQ(bucket_of({0, 10, 100}, buckets), 0);
  EXPECT_EQ(bucket_of({0, 11, 100}, buckets), 1);
  EXPECT_EQ(bucket_of({0, 10, 101}, buckets), 1);
  EXPECT_EQ(bucket_of({0, 21, 1}, buckets), -1);
  EXPECT_EQ(bucket_of({0, 1, 201}, buckets), -1);
}

}  // namespace
}  // namespace seda::feed
