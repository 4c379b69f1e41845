// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/resample.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_message.h"

namespace seda::audio {
namespace {

using testing::HasSubstr;
using testing_support::error_message;

std::vector<float> sine(double hertz, int rate, size_t length) {
  std::vector<float> samples(length);
  for (size_t i = 0; i < length; ++i) {
    const double phase = 2 * std::numbers::pi * hertz * static_cast<double>(i) / rate;
    samples[i] = static_cast<float>(std::sin(phase));
  }
  return samples;
}

std::vector<float> resampled(Resampler& resampler, const std::vector<float>& input) {
  const auto output = resampler.apply(input);
  return {output.begin(), output.end()};
}

TEST(Resample, SineStaysWhereItWas) {
  for (const auto& [from, to] : {std::pair{16000, 22050}, {22050, 16000}, {48000, 22050}}) {
    Resampler resampler(from, to);
    const auto got = resampled(resampler, sine(1000, from, static_cast<size_t>(from)));
    const auto want = sine(1000, to, static_cast<size_t>(to));
    ASSERT_EQ(got.size(), want.size());
    for (size_t i = 1000; i + 1000 < want.size(); ++i)
      ASSERT_NEAR(got[i], want[i], 1e-4) << from << " " << to << " at " << i;
  }
}

TEST(Resample, WhatTheNewRateCannotHoldIsRemoved) {
  Resampler resampler(48000, 16000);
  const auto got = resampled(resampler, sine(11000, 48000, 48000));
  for (size_t i = 500; i + 500 < got.size(); ++i)
    ASSERT_NEAR(got[i], 0, 1e-4);
}

/// Level of a sine of `hertz` after resampling, dB, the ends left out.
double level_after(Resampler& resampler, double hertz) {
  const int from = resampler.from_rate();
  const auto got = resampled(resampler, sine(hertz, from, 2 * static_cast<size_t>(from)));
  double sum = 1e-30;
  for (size_t i = got.size() / 4; i < got.size() * 3 / 4; ++i)
    sum += double{got[i]} * double{got[i]};
  return 10 * std::log10(sum / (static_cast<double>(got.size()) / 4));
}

TEST(Resample, EachQualityKeepsTheBandItPromises) {
  struct Promise {
    ResampleQuality quality;
    double flat;
    double alias_db;
  };
  for (const auto& [quality, flat, alias_db] : {Promise{ResampleQuality::fast, 0.70, -100},
                                                {ResampleQuality::high, 0.93, -125},
                                                {ResampleQuality::best, 0.93, -150}}) {
    for (const auto& [from, to] : {std::pair{48000, 22050}, {44100, 22050}, {48000, 16000}}) {
      Resampler resampler(from, to, quality);
      const double half = std::min(from, to) / 2.0;
      for (const double share : {0.01, 0.3, 0.5, 0.65, flat})
        EXPECT_NEAR(level_after(resampler, share * half), 0, 0.1) << from << " " << share;
      for (const double share : {1.01, 1.05, 1.2, 1.5, 1.9})
        EXPECT_LT(level_after(resampler, share * half), alias_db) << from << " " << share;
    }
  }
}

TEST(Resample, LengthIsTheCeilingOfTheRatio) {
  Resampler resampler(16000, 22050);
  for (const size_t length : {1u, 2u, 3u, 100u, 319u, 320u, 321u, 15999u}) {
    EXPECT_EQ(resampler.apply(sine(100, 16000, length)).size(), (length * 22050 + 15999) / 16000);
  }
}

TEST(Resample, DoesNotRememberTheSignalBefore) {
  Resampler used(16000, 22050);
  used.apply(sine(3000, 16000, 12345));
  used.apply(sine(40, 16000, 17));
  Resampler fresh(16000, 22050);
  const auto signal = sine(440, 16000, 5000);
  EXPECT_EQ(resampled(used, signal), resampled(fresh, signal));
}

TEST(Resample, EqualRatesAndNothingPassThrough) {
  Resampler same(16000, 16000);
  const auto signal = sine(440, 16000, 100);
  EXPECT_EQ(resampled(same, signal), signal);
  Resampler other(16000, 8000);
  EXPECT_TRUE(other.apply({}).empty());
}

TEST(Resample, RatesOutOfRangeAreRefused) {
  for (const auto& [from, to] : {std::pair{0, 8000}, {8000, -1}, {8000, 2'000'000}}) {
    EXPECT_THAT(error_message([&] { Resampler(from, to); }), HasSubstr("expected 1 to 1000000"));
  }
}

}  // namespace
}  // namespace seda::audio
