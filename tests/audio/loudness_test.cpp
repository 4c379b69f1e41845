// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/loudness.h"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace seda::audio {
namespace {

std::vector<float> tone(double hertz, double peak_dbfs, double seconds, int rate) {
  std::vector<float> samples(static_cast<size_t>(seconds * rate));
  for (size_t t = 0; t < samples.size(); ++t) {
    const double phase = 2 * std::numbers::pi * hertz * static_cast<double>(t) / rate;
    samples[t] = static_cast<float>(std::pow(10, peak_dbfs / 20) * std::sin(phase));
  }
  return samples;
}

// BS.1770-4: a 997 Hz sine of 0 dBFS in one channel has -3.01 LUFS; all is linear.
TEST(Loudness, OfASineIsItsLevelLessThreePointOhOne) {
  for (const int rate : {16000, 22050, 44100, 48000}) {
    for (const double level : {0.0, -6.0, -23.0, -40.0}) {
      const auto loudness = integrated_loudness(tone(997, level, 5, rate), rate);
      ASSERT_TRUE(loudness);
      EXPECT_NEAR(*loudness, level - 3.01, 0.05) << rate << " " << level;
    }
  }
}

// Tech 3341, case 3 with one channel: what is 10 LU under the rest does not count.
TEST(Loudness, LeavesOutWhatIsMuchQuieter) {
  std::vector<float> samples = tone(1000, -36, 10, 48000);
  for (const float x : tone(1000, -23, 60, 48000))
    samples.push_back(x);
  for (const float x : tone(1000, -36, 10, 48000))
    samples.push_back(x);
  EXPECT_NEAR(*integrated_loudness(samples, 48000), -23 - 3.01, 0.1);
}

TEST(Loudness, HighTonesCountMore) {
  const double low = *integrated_loudness(tone(50, -20, 3, 48000), 48000);
  const double middle = *integrated_loudness(tone(997, -20, 3, 48000), 48000);
  const double high = *integrated_loudness(tone(6000, -20, 3, 48000), 48000);
  EXPECT_LT(low, middle - 1);
  EXPECT_NEAR(high, middle + 3.3, 0.3);
}

TEST(Loudness, OfAShortClipIsThatOfItsRepetition) {
  for (const double seconds : {0.01, 0.1, 0.35, 0.399, 0.4}) {
    const auto loudness = integrated_loudness(tone(997, -20, seconds, 22050), 22050);
    ASSERT_TRUE(loudness) << seconds;
    EXPECT_NEAR(*loudness, -23.01, 0.5) << seconds;
  }
}

TEST(Loudness, OfAnySampleRateAndASingleSampleIsFoundOrNot) {
  for (const int rate : {1000, 1001, 8003, 22050, 192000, 384000}) {
    EXPECT_TRUE(integrated_loudness(tone(400, -20, 0.4, rate), rate)) << rate;
    integrated_loudness(std::vector<float>{0.5F}, rate);
  }
}

TEST(Loudness, SilenceHasNone) {
  EXPECT_FALSE(integrated_loudness(std::vector<float>(48000, 0.0F), 48000));
  EXPECT_FALSE(integrated_loudness(tone(997, -80, 2, 48000), 48000));
  EXPECT_FALSE(integrated_loudness({}, 48000));
}

}  // namespace
}  // namespace seda::audio
