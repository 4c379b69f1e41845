// SPDX-License-Identifier: Apache-2.0
#include "seda/base/distribution.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/random.h"
#include "tests/base/naive_statistics.h"

namespace seda {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

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

uint64_t total(const Histogram& histogram) {
  return std::accumulate(histogram.counts.begin(), histogram.counts.end(), uint64_t{0});
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
  const Histogram histogram = distribution.histogram(10);
  EXPECT_THAT(histogram.counts, ElementsAre(5000u));
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

TEST(Distribution, MergeOfFewIsExact) {
  const auto first = many_samples(5, 300);
  const auto second = many_samples(6, 500);
  auto all = first;
  all.insert(all.end(), second.begin(), second.end());
  Distribution merged = of(first);
  merged.merge(of(second));
  EXPECT_TRUE(merged.exact());
  EXPECT_EQ(merged.count(), 800u);
  EXPECT_DOUBLE_EQ(merged.quantile(0.3), naive::quantile(all, 0.3));
}

TEST(Distribution, MergeEqualsAddingEverySample) {
  for (const auto& [n_first, n_second] :
       std::vector<std::pair<size_t, size_t>>{{1000, 1000}, {10, 5000}, {5000, 10}, {3000, 3000}}) {
    const auto first = many_samples(7, n_first);
    const auto second = many_samples(8, n_second, -1);
    auto all = first;
    all.insert(all.end(), second.begin(), second.end());
    const Distribution whole = of(all);
    Distribution merged = of(first);
    merged.merge(of(second));
    EXPECT_FALSE(merged.exact());
    EXPECT_EQ(merged.count(), whole.count());
    EXPECT_EQ(merged.min(), whole.min());
    EXPECT_EQ(merged.max(), whole.max());
    for (const double share : {0.01, 0.5, 0.99})
      EXPECT_EQ(merged.quantile(share), whole.quantile(share));
  }
}

TEST(Distribution, MergeWithItselfDoublesEveryCount) {
  Distribution distribution = of(many_samples(9, 2000));
  const double median = distribution.quantile(0.5);
  distribution.merge(distribution);
  EXPECT_EQ(distribution.count(), 4000u);
  EXPECT_NEAR(distribution.quantile(0.5), median, 0.004 * median);
}

TEST(Distribution, MergeWithNothingChangesNothing) {
  Distribution distribution = of({1, 2, 3});
  distribution.merge(Distribution());
  EXPECT_EQ(distribution.quantile(0.5), 2);
  Distribution empty;
  empty.merge(distribution);
  EXPECT_EQ(empty.quantile(0.5), 2);
}

TEST(Distribution, NothingIsAskedOfNoSamples) {
  const Distribution distribution;
  EXPECT_TRUE(std::isnan(distribution.min()));
  EXPECT_TRUE(std::isnan(distribution.max()));
  EXPECT_TRUE(std::isnan(distribution.quantile(0.5)));
  EXPECT_TRUE(std::isnan(distribution.median_absolute_deviation()));
  EXPECT_THAT(distribution.histogram(4).counts, IsEmpty());
}

TEST(Distribution, HistogramOfFewCountsEachSample) {
  const Histogram histogram = of({0, 1, 1, 2, 3.5, 4}).histogram(4);
  EXPECT_EQ(histogram.low, 0);
  EXPECT_EQ(histogram.high, 4);
  EXPECT_THAT(histogram.counts, ElementsAre(3u, 1u, 0u, 2u)) << "an edge belongs to the lower bin";
}

TEST(Distribution, HistogramOfManyAddsUpAndFollowsTheTruth) {
  Random random(10);
  std::vector<double> samples(40'000);
  for (double& sample : samples)
    sample = random.uniform(1, 2);
  const Histogram histogram = of(samples).histogram(8);
  EXPECT_EQ(total(histogram), samples.size());
  std::vector<int> truth(8);
  for (const double sample : samples)
    ++truth[static_cast<size_t>(std::min(7.0, (sample - 1) * 8))];
  for (size_t bin = 0; bin < truth.size(); ++bin)
    EXPECT_NEAR(static_cast<double>(histogram.counts[bin]), truth[bin], 0.03 * truth[bin]);
}

}  // namespace
}  // namespace seda
