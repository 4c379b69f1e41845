// SPDX-License-Identifier: Apache-2.0
#include "seda/base/distribution.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "seda/base/random.h"
#include "tests/base/naive_statistics.h"

namespace seda {
namespace {

Distribution of(const std::vector<double>& samples) {
  Distribution distribution;
  for (const double sample : samples)
    distribution.add(sample);
  return distribution;
}

/// Log-normal: from microseconds to minutes, as waiting times are.
std::vector<double> many_samples(uint64_t seed, size_t count, double sign = 1) {
  Random random(seed);
  std::vector<double> samples(count);
  for (double& sample : samples) {
    const double normal = std::sqrt(-2 * std::log(1 - random.uniform())) *
                          std::cos(6.283185307179586 * random.uniform());
    sample = sign * std::exp(2 * normal);
  }
  return samples;
}

TEST(Distribution, FewSamplesAreExact) {
  const auto samples = many_samples(1, Distribution::kExactSamples);
  const Distribution distribution = of(samples);
  ASSERT_TRUE(distribution.exact());
  for (const double share : {0.0, 0.01, 0.25, 0.5, 0.95, 0.999, 1.0})
    EXPECT_DOUBLE_EQ(distribution.quantile(share), naive::quantile(samples, share));
  EXPECT_DOUBLE_EQ(distribution.median_absolute_deviation(),
                   naive::median_absolute_deviation(samples));
}

TEST(Distribution, ManySamplesKeepTheStatedBound) {
  for (const double sign : {1.0, -1.0}) {
    const auto samples = many_samples(2, 100'000, sign);
    const Distribution distribution = of(samples);
    ASSERT_FALSE(distribution.exact());
    for (const double share : {0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999}) {
      const double truth = naive::quantile(samples, share);
      EXPECT_NEAR(distribution.quantile(share), truth, 0.004 * std::abs(truth)) << share;
    }
    EXPECT_EQ(distribution.quantile(0), *std::ranges::min_element(samples));
    EXPECT_EQ(distribution.quantile(1), *std::ranges::max_element(samples));
  }
}

TEST(Distribution, HugeAndTinyMagnitudesKeepTheBoundToo) {
  Random random(3);
  std::vector<double> samples(20'000);
  for (double& sample : samples)
    sample = std::pow(10.0, random.uniform(-300, 300)) * (random.below(2) == 0 ? 1 : -1);
  const Distribution distribution = of(samples);
  std::ranges::sort(samples);
  for (size_t rank = 0; rank < samples.size(); rank += 199) {
    const double share = static_cast<double>(rank) / static_cast<double>(samples.size() - 1);
    // Neighbours lie far apart here: the quantile may fall between the two around the rank.
    const double low = samples[rank == 0 ? 0 : rank - 1];
    const double high = samples[std::min(rank + 1, samples.size() - 1)];
    EXPECT_GE(distribution.quantile(share), low - 0.004 * std::abs(low)) << rank;
    EXPECT_LE(distribution.quantile(share), high + 0.004 * std::abs(high)) << rank;
  }
}

TEST(Distribution, ZerosAndNegativesAreOrdinary) {
  std::vector<double> samples(3000);
  for (size_t i = 0; i < samples.size(); ++i)
    samples[i] = static_cast<double>(i % 3) - 1;  // -1, 0, 1
  samples.push_back(-0.0);
  const Distribution distribution = of(samples);
  ASSERT_FALSE(distribution.exact());
  EXPECT_NEAR(distribution.quantile(0.1), -1, 0.004);
  EXPECT_EQ(distribution.quantile(0.5), 0);
  EXPECT_NEAR(distribution.quantile(0.9), 1, 0.004);
  EXPECT_EQ(distribution.min(), -1);
  EXPECT_EQ(distribution.max(), 1);
}

TEST(Distribution, EqualSamplesStayEqual) {
  const Distribution distribution = of(std::vector<double>(5000, 0.3));
  ASSERT_FALSE(distribution.exact());
  EXPECT_EQ(distribution.quantile(0.37), 0.3);
  EXPECT_EQ(distribution.median_absolute_deviation(), 0);
}

TEST(Distribution, DeviationOfManySamplesKeepsTheStatedBound) {
  // Steps of 100 ms ± 2 %: the deviation is small beside the values.
  Random random(4);
  std::vector<double> samples(50'000);
  for (double& sample : samples)
    sample = 0.1 * (1 + random.uniform(-0.02, 0.02));
  const double truth = naive::median_absolute_deviation(samples);
  const double found = of(samples).median_absolute_deviation();
  EXPECT_NEAR(found, truth, 0.004 * truth + 0.008 * 0.1);
  EXPECT_NEAR(found, truth, 0.05 * truth) << "even samples come out much closer";
}

TEST(Distribution, NothingIsAskedOfNoSamples) {
  const Distribution distribution;
  EXPECT_TRUE(std::isnan(distribution.min()));
  EXPECT_TRUE(std::isnan(distribution.max()));
  EXPECT_TRUE(std::isnan(distribution.quantile(0.5)));
  EXPECT_TRUE(std::isnan(distribution.median_absolute_deviation()));
}

}  // namespace
}  // namespace seda
