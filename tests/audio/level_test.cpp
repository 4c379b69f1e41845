// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/level.h"

#include <cmath>

#include <gtest/gtest.h>

#include "seda/base/random.h"

namespace seda::audio {
namespace {

TEST(Level, PeakIsTheLargestDistanceFromZero) {
  EXPECT_EQ(peak_level({}), 0);
  EXPECT_EQ(peak_level(std::vector<float>{0.25F, -0.5F, 0.4F}), 0.5F);
}

TEST(Level, DecibelsThereAndBack) {
  EXPECT_NEAR(from_db(-6), 0.50119, 1e-5);
  EXPECT_NEAR(to_db(from_db(-23.4)), -23.4, 1e-12);
  EXPECT_EQ(to_db(1), 0);
}

TEST(Level, EverySixteenBitNumberComesBack) {
  std::vector<float> samples;
  for (int x = -32768; x <= 32767; ++x)
    samples.push_back(static_cast<float>(x) / 32768);
  std::vector<int16_t> out;
  EXPECT_EQ(to_pcm16(samples, 1, out), 0);
  for (int x = -32768; x <= 32767; ++x)
    ASSERT_EQ(out[static_cast<size_t>(x + 32768)], x);
}

TEST(Level, RoundingIsToTheNearest) {
  Random random(1);
  std::vector<float> samples;
  for (int i = 0; i < 10'000; ++i)
    samples.push_back(static_cast<float>(random.below(2'400'001)) * 1e-6F - 1.2F);
  std::vector<int16_t> out;
  const int64_t clipped = to_pcm16(samples, 0.9F, out);
  int64_t expected = 0;
  for (size_t t = 0; t < samples.size(); ++t) {
    const double exact = double{samples[t]} * double{0.9F} * 32768;
    if (exact > 32767.51 || exact < -32768.51) ++expected;
    EXPECT_NEAR(out[t], std::clamp(exact, -32768.0, 32767.0), 0.51);
  }
  EXPECT_NEAR(static_cast<double>(clipped), static_cast<double>(expected), 2);
}

TEST(Level, WhatIsTooLoudIsHeldAndCounted) {
  std::vector<int16_t> out;
  EXPECT_EQ(to_pcm16(std::vector<float>{1.0F, -1.0F, -1.1F, 1e9F}, 1, out), 3);
  EXPECT_EQ(out, (std::vector<int16_t>{32767, -32768, -32768, 32767}));
}

}  // namespace
}  // namespace seda::audio
