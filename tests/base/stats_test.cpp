// SPDX-License-Identifier: Apache-2.0
#include "seda/base/stats.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "seda/base/random.h"
#include "tests/base/naive_statistics.h"

namespace seda {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> samples_around(double center, double spread, size_t count) {
  Random random(count);
  std::vector<double> samples(count);
  for (double& sample : samples)
    sample = center + random.uniform(-spread, spread);
  return samples;
}

Statistics of(const std::vector<double>& samples) {
  Statistics statistics;
  for (const double sample : samples)
    statistics.add(sample);
  return statistics;
}

void expect_matches(const Statistics& statistics, const std::vector<double>& samples) {
  const double mean = naive::mean(samples);
  const double deviation = naive::standard_deviation(samples);
  EXPECT_EQ(statistics.count(), samples.size());
  EXPECT_NEAR(statistics.mean(), mean, 1e-12 * std::abs(mean));
  EXPECT_NEAR(statistics.std(), deviation, 1e-6 * deviation);
  EXPECT_EQ(statistics.min(), *std::ranges::min_element(samples));
  EXPECT_EQ(statistics.max(), *std::ranges::max_element(samples));
}

TEST(Statistics, AgreesWithTheTextbook) {
  const auto samples = samples_around(5, 4, 1000);
  const Statistics statistics = of(samples);
  expect_matches(statistics, samples);
  EXPECT_DOUBLE_EQ(statistics.median(), naive::quantile(samples, 0.5));
  EXPECT_DOUBLE_EQ(statistics.quantile(0.95), naive::quantile(samples, 0.95));
  EXPECT_DOUBLE_EQ(statistics.median_absolute_deviation(),
                   naive::median_absolute_deviation(samples));
  EXPECT_NEAR(statistics.variation(), naive::standard_deviation(samples) / naive::mean(samples),
              1e-12);
}

TEST(Statistics, SmallSpreadOnALargeValueIsNotLost) {
  // Squares of clock readings would cancel to nothing in one pass.
  const auto samples = samples_around(1e6, 1e-3, 5000);
  expect_matches(of(samples), samples);
}

TEST(Statistics, WhatIsNotFiniteIsLeftOut) {
  Statistics statistics = of({1, 2, 3});
  for (const double bad : {kNan, kInfinity, -kInfinity, 1e200, -1e200})
    statistics.add(bad);
  expect_matches(statistics, {1, 2, 3});
}

TEST(Statistics, OfNothingAndOfOne) {
  Statistics statistics;
  EXPECT_EQ(statistics.count(), 0u);
  EXPECT_TRUE(std::isnan(statistics.mean()));
  EXPECT_TRUE(std::isnan(statistics.std()));
  EXPECT_TRUE(std::isnan(statistics.variation()));
  statistics.add(7);
  EXPECT_EQ(statistics.mean(), 7);
  EXPECT_EQ(statistics.std(), 0);
  EXPECT_EQ(statistics.median(), 7);
}

TEST(Statistics, VariationOfMeanZeroIsUndefined) {
  EXPECT_TRUE(std::isnan(of({-1, 1}).variation()));
}

}  // namespace
}  // namespace seda
