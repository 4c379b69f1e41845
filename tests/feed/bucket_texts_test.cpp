// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/bucket_texts.h"

#include <gtest/gtest.h>

#include "tests/feed/made_lengths.h"

namespace seda::feed {
namespace {

using Lengths = std::vector<ClipLength>;
using Buckets = std::vector<Bucket>;

BucketOptions single_steps(int batch_size) {
  BucketOptions options;
  options.batch_size = batch_size;
  options.token_multiple = 1;
  return options;
}

/// Ten clips of 20 tokens and one of `tokens`, all of 100 frames; one clip of 100 tokens and 110.
Lengths one_with_more_text(int tokens) {
  Lengths lengths(10, {0, 20, 100});
  lengths.push_back({10, tokens, 100});
  lengths.push_back({11, 100, 110});
  return lengths;
}

TEST(BucketTexts, AreShortenedWhereThatSavesMoreThanItCosts) {
  const Buckets before = {{100, 100, 1}, {100, 110, 1}};
  // Ten clips save 0.1 · (tokens - 20) each; the one moved up pays ten frames and the next's text.
  EXPECT_EQ(shorten_texts(one_with_more_text(40), single_steps(1), before),
            (Buckets{{20, 100, 1}, {100, 110, 1}}));
  EXPECT_EQ(shorten_texts(one_with_more_text(22), single_steps(1), before),
            (Buckets{{22, 100, 1}, {100, 110, 1}}));
}

TEST(BucketTexts, LeaveTheClipsOfABatch) {
  const Buckets before = {{40, 100, 11}, {100, 110, 1}};
  EXPECT_EQ(shorten_texts(one_with_more_text(40), single_steps(11), before), before);
}

TEST(BucketTexts, WithoutWeightStayAsTheyAre) {
  BucketOptions options = single_steps(1);
  options.token_weight = 0;
  const Buckets before = {{40, 100, 1}, {100, 110, 1}};
  EXPECT_EQ(shorten_texts(one_with_more_text(40), options, before), before);
}

TEST(BucketTexts, OfTheLastBucketStayAsTheyAre) {
  const Buckets before = {{100, 110, 1}};
  EXPECT_EQ(shorten_texts(one_with_more_text(40), single_steps(1), before), before);
}

TEST(BucketTexts, AscendAndHoldEveryClip) {
  const Lengths lengths = made_lengths(3000, 100, 800);
  Buckets before;
  for (int i = 1; i <= 8; ++i)
    before.push_back({401, 100 * i, 16});
  const Buckets buckets = shorten_texts(lengths, {}, before);
  for (size_t i = 1; i < buckets.size(); ++i)
    EXPECT_GE(buckets[i].tokens, buckets[i - 1].tokens);
  EXPECT_LT(buckets.front().tokens, 100);
  for (const ClipLength& length : lengths)
    EXPECT_GE(bucket_of(length, buckets), 0);
}

}  // namespace
}  // namespace seda::feed
