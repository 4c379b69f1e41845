// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/watch/growth.h"

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace seda::diagnose {
namespace {

std::vector<TimedValue> series(double seconds, const std::function<double(double)>& value) {
  std::vector<TimedValue> out;
  for (double at = 0; at < seconds; at += 0.1)
    out.push_back({at, value(at)});
  return out;
}

TEST(Growth, SlopeOfALineIsFound) {
  const Growth growth = find_growth(series(100, [](double at) { return 1000 + 5 * at; }), 100);
  EXPECT_TRUE(growth.steady);
  EXPECT_NEAR(growth.per_second, 5, 1e-6);
}

TEST(Growth, FewWildValuesDoNotMatter) {
  const Growth growth = find_growth(
      series(100, [](double at) { return std::fmod(at, 10) < 0.5 ? 1e6 : 1000 + 5 * at; }), 100);
  EXPECT_NEAR(growth.per_second, 5, 1);
}

TEST(Growth, NoiseIsNone) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(1000, 100);
    EXPECT_FALSE(find_growth(series(100, [&](double) { return noise(random); }), 10).steady)
        << seed;
  }
}

TEST(Growth, WhatRisesAndStaysIsNone) {
  EXPECT_FALSE(
      find_growth(series(100, [](double at) { return 1000 + 20 * std::min(at, 60.0); }), 100)
          .steady);
}

TEST(Growth, ShrinkingIsNone) {
  EXPECT_FALSE(find_growth(series(100, [](double at) { return 1000 - 5 * at; }), 0).steady);
}

TEST(Growth, TooShortIsNone) {
  const auto line = [](double at) { return 1000 + 500 * at; };
  EXPECT_FALSE(find_growth(series(kLeastGrowthSeconds - 1, line), 100).steady);
  EXPECT_TRUE(find_growth(series(kLeastGrowthSeconds + 1, line), 100).steady);
  EXPECT_FALSE(find_growth({}, 0).steady);
}

TEST(Growth, LessThanAskedForIsNone) {
  EXPECT_FALSE(find_growth(series(100, [](double at) { return 1000 + 5 * at; }), 600).steady);
}

}  // namespace
}  // namespace seda::diagnose
