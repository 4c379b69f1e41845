// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/trim_silence.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "seda/base/random.h"

namespace seda::audio {
namespace {

constexpr int kRate = 16000;

/// Tone of `level` between two silences with a floor of noise.
std::vector<float> clip(double before_s, double tone_s, double after_s, double level,
                        double floor) {
  Random random(9);
  std::vector<float> samples(static_cast<size_t>((before_s + tone_s + after_s) * kRate));
  for (size_t t = 0; t < samples.size(); ++t) {
    const double at = static_cast<double>(t) / kRate;
    const bool loud = at >= before_s && at < before_s + tone_s;
    const double noise = floor * (static_cast<double>(random.below(2001)) / 1000 - 1);
    samples[t] = static_cast<float>(noise + (loud ? level * std::sin(2700 * at) : 0));
  }
  return samples;
}

/// The definition, in double precision; begin and end of what is kept.
std::pair<size_t, size_t> reference(const std::vector<float>& x, double below_db, double margin_s) {
  const size_t hop = kRate / 100;
  std::vector<double> rms;
  for (size_t k = 0; k * hop < x.size(); ++k) {
    double sum = 0;
    const size_t end = std::min(x.size(), k * hop + 2 * hop);
    for (size_t t = k * hop; t < end; ++t)
      sum += double{x[t]} * double{x[t]};
    rms.push_back(std::sqrt(sum / static_cast<double>(end - k * hop)));
  }
  const double loudest = *std::ranges::max_element(rms);
  const auto loud = [&](double value) { return 20 * std::log10(value / loudest) >= -below_db; };
  const auto first = static_cast<size_t>(std::ranges::find_if(rms, loud) - rms.begin());
  size_t last = rms.size() - 1;
  while (!loud(rms[last]))
    --last;
  const auto margin = static_cast<size_t>(margin_s * kRate);
  return {first * hop > margin ? first * hop - margin : 0,
          std::min(x.size(), (last + 2) * hop + margin)};
}

TEST(TrimSilence, KeepsWhatTheDefinitionKeeps) {
  for (const double before : {0.0, 0.3, 1.0}) {
    for (const double after : {0.0, 0.013, 0.7}) {
      for (const double margin : {0.0, 0.05, 2.0}) {
        const auto samples = clip(before, 0.5, after, 0.5, 1e-4);
        const auto kept = trim_silence(samples, kRate, 40, margin);
        const auto [begin, end] = reference(samples, 40, margin);
        EXPECT_EQ(static_cast<size_t>(kept.data() - samples.data()), begin);
        EXPECT_EQ(kept.size(), end - begin);
      }
    }
  }
}

TEST(TrimSilence, WhatIsLouderThanTheThresholdStays) {
  const auto samples = clip(0.5, 0.5, 0.5, 0.5, 0.01);
  EXPECT_LT(trim_silence(samples, kRate, 20, 0).size(), samples.size() / 2);
  EXPECT_EQ(trim_silence(samples, kRate, 60, 0).size(), samples.size());
}

TEST(TrimSilence, PausesInsideStay) {
  auto samples = clip(0.2, 0.3, 0.8, 0.5, 0);
  const auto second = clip(0, 0.3, 0.2, 0.5, 0);
  samples.insert(samples.end(), second.begin(), second.end());
  EXPECT_NEAR(static_cast<double>(trim_silence(samples, kRate, 40, 0).size()), 1.4 * kRate,
              0.03 * kRate);
}

TEST(TrimSilence, LeavesNothingOfSilence) {
  EXPECT_TRUE(trim_silence(std::vector<float>(kRate, 0.0F), kRate, 40, 0.1).empty());
  EXPECT_TRUE(trim_silence(std::vector<float>(kRate, 1e-5F), kRate, 40, 0.1).empty());
  EXPECT_TRUE(trim_silence({}, kRate, 40, 0.1).empty());
}

TEST(TrimSilence, KeepsTheShortest) {
  EXPECT_EQ(trim_silence(std::vector<float>{0.5F}, kRate, 40, 0).size(), 1u);
  EXPECT_EQ(trim_silence(std::vector<float>(5, 0.5F), 1000, 40, 0).size(), 5u);
}

}  // namespace
}  // namespace seda::audio
