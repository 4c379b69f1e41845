// SPDX-License-Identifier: Apache-2.0
#include "seda/base/stats.h"

#include <cmath>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "seda/base/random.h"
#include "tests/base/naive_statistics.h"
#include "tests/support/threads.h"

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
  EXPECT_NEAR(statistics.sum(), mean * static_cast<double>(samples.size()),
              1e-10 * std::abs(statistics.sum()));
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

TEST(Statistics, WhatIsNotFiniteIsCountedApart) {
  Statistics statistics = of({1, 2, 3});
  for (const double bad : {kNan, kInfinity, -kInfinity, 1e200, -1e200})
    statistics.add(bad);
  EXPECT_EQ(statistics.not_finite(), 5u);
  expect_matches(statistics, {1, 2, 3});
}

TEST(Statistics, OfNothingAndOfOne) {
  Statistics statistics;
  EXPECT_EQ(statistics.count(), 0u);
  EXPECT_EQ(statistics.sum(), 0);
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

TEST(Statistics, MergeEqualsAddingEverySample) {
  const auto first = samples_around(10, 3, 700);
  const auto second = samples_around(-200, 50, 2500);
  auto all = first;
  all.insert(all.end(), second.begin(), second.end());
  Statistics merged = of(first);
  Statistics other = of(second);
  other.add(kNan);
  merged.merge(other);
  expect_matches(merged, all);
  EXPECT_EQ(merged.not_finite(), 1u);
  EXPECT_EQ(merged.median(), of(all).median());
}

TEST(Statistics, MergeWithEmptyOnEitherSide) {
  Statistics empty;
  empty.merge(of({1, 2}));
  expect_matches(empty, {1, 2});
  empty.merge(Statistics());
  expect_matches(empty, {1, 2});
}

TEST(StatsRecorder, FourThreadsTogetherEqualOneReference) {
  constexpr size_t kEach = 10'000;
  StatsRecorder recorder;
  const auto samples = samples_around(3, 2, 4 * kEach);
  testing_support::run_threads(4, [&](size_t index) {
    for (size_t i = 0; i < kEach; ++i)
      recorder.add(samples[index * kEach + i]);
  });
  const Statistics statistics = recorder.snapshot();
  expect_matches(statistics, samples);
  EXPECT_EQ(statistics.median(), of(samples).median());
}

TEST(StatsRecorder, SnapshotHoldsAllThatWasAddedBefore) {
  StatsRecorder recorder;
  for (uint64_t i = 1; i <= 600; ++i) {
    recorder.add(1);
    ASSERT_EQ(recorder.snapshot().count(), i);
  }
}

TEST(StatsRecorder, SnapshotsWhileOthersAddAreWholeAndGrow) {
  constexpr uint64_t kEach = 20'000;
  StatsRecorder recorder;
  const auto threads = testing_support::start_threads(3, [&recorder](size_t) {
    for (uint64_t i = 0; i < kEach; ++i)
      recorder.add(2.5);
  });
  uint64_t before = 0;
  while (before < 3 * kEach) {
    const Statistics statistics = recorder.snapshot();
    ASSERT_GE(statistics.count(), before);
    before = statistics.count();
    if (before == 0) continue;
    ASSERT_EQ(statistics.mean(), 2.5) << "a torn or missing sample";
    ASSERT_EQ(statistics.max(), 2.5);
  }
}

TEST(StatsRecorder, SamplesOfThreadsThatEndedStay) {
  StatsRecorder recorder;
  for (int t = 0; t < 50; ++t)
    std::jthread([&recorder, t] { recorder.add(t); });
  const Statistics statistics = recorder.snapshot();
  EXPECT_EQ(statistics.count(), 50u);
  EXPECT_EQ(statistics.sum(), 49 * 50 / 2);
}

TEST(StatsRecorder, SeveralAtOnceDoNotMix) {
  std::vector<StatsRecorder> recorders(200);  // more than a thread finds at a glance
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < recorders.size(); ++i)
      recorders[i].add(static_cast<double>(i));
  }
  for (size_t i = 0; i < recorders.size(); ++i) {
    const Statistics statistics = recorders[i].snapshot();
    EXPECT_EQ(statistics.count(), 3u);
    EXPECT_EQ(statistics.min(), static_cast<double>(i));
    EXPECT_EQ(statistics.max(), static_cast<double>(i));
  }
}

TEST(StatsRecorder, ThreadsOutliveIt) {
  for (int life = 0; life < 100; ++life) {
    auto recorder = std::make_unique<StatsRecorder>();
    recorder->add(life);
    EXPECT_EQ(recorder->snapshot().sum(), life) << "found the place of one that is gone";
  }
}

TEST(StatsRecorder, WhatIsNotFiniteIsCountedApart) {
  StatsRecorder recorder;
  recorder.add(kNan);
  recorder.add(4);
  EXPECT_EQ(recorder.snapshot().not_finite(), 1u);
  EXPECT_EQ(recorder.snapshot().mean(), 4);
}

}  // namespace
}  // namespace seda
