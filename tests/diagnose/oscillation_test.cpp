// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/oscillation.h"

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "seda/base/random.h"

namespace seda::diagnose {
namespace {

double normal(Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

std::vector<double> series(size_t samples, const std::function<double(size_t)>& value) {
  std::vector<double> out(samples);
  for (size_t i = 0; i < samples; ++i)
    out[i] = value(i);
  return out;
}

/// Share of 1,000 series of each length in which a rhythm is found.
double alarms(const std::function<std::vector<double>(size_t samples, Random& random)>& make) {
  int found = 0;
  int tried = 0;
  for (const size_t samples : {32, 50, 100, 257}) {
    for (uint64_t seed = 0; seed < 1000; ++seed, ++tried) {
      Random random(seed, samples);
      found += static_cast<int>(find_oscillation(make(samples, random)).found);
    }
  }
  return static_cast<double>(found) / tried;
}

TEST(Oscillation, IsNotFoundInWhiteNoise) {
  EXPECT_LE(alarms([](size_t samples, Random& random) {
              return series(samples, [&](size_t) { return 1 + 0.1 * normal(random); });
            }),
            0.01);
}

TEST(Oscillation, IsNotFoundInNoiseWithAHeavyTail) {
  EXPECT_LE(alarms([](size_t samples, Random& random) {
              return series(samples,
                            [&](size_t) { return std::pow(1 - random.uniform(), -1 / 1.5); });
            }),
            0.01);
}

TEST(Oscillation, IsNotFoundInQuantizedNoise) {
  EXPECT_LE(alarms([](size_t samples, Random& random) {
              return series(samples, [&](size_t) { return random.uniform() < 0.1 ? 2.0 : 1.0; });
            }),
            0.01);
}

TEST(Oscillation, IsNotFoundInOneOutlier) {
  EXPECT_LE(alarms([](size_t samples, Random& random) {
              auto out = series(samples, [&](size_t) { return 1 + 0.1 * normal(random); });
              out[random.below(samples)] = 100;
              return out;
            }),
            0.01);
}

TEST(Oscillation, IsNotFoundInPersistentNoise) {
  for (const double persistence : {0.3, 0.6, 0.9}) {
    EXPECT_LE(alarms([&](size_t samples, Random& random) {
                double state = 0;
                return series(samples,
                              [&](size_t) { return state = persistence * state + normal(random); });
              }),
              0.01)
        << persistence;
  }
}

TEST(Oscillation, IsNotADrift) {
  for (const double noise : {0.0, 0.1, 1.0}) {
    Random random(7);
    EXPECT_FALSE(find_oscillation(series(200, [&](size_t i) {
                   return 0.01 * static_cast<double>(i) + noise * normal(random);
                 })).found);
    EXPECT_FALSE(find_oscillation(series(200, [&](size_t i) {
                   return (i < 120 ? 1.0 : 3.0) + noise * normal(random);
                 })).found);
    EXPECT_FALSE(find_oscillation(series(200, [&](size_t i) {
                   return std::sin(static_cast<double>(i) / 200 * std::numbers::pi) +
                          noise * normal(random);
                 })).found);
  }
}

TEST(Oscillation, OfASineIsFoundWithItsPeriod) {
  for (const double period : {2.0, 5.0, 8.5, 20.0}) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
      Random random(seed);
      const auto found = find_oscillation(series(100, [&](size_t i) {
        return std::cos(2 * std::numbers::pi * static_cast<double>(i) / period) +
               0.5 * normal(random);
      }));
      EXPECT_TRUE(found.found) << period << " p " << found.p_value;
      EXPECT_NEAR(found.period, period, 0.1 * period) << seed;
    }
  }
}

TEST(Oscillation, WithoutNoiseIsFound) {
  const auto found = find_oscillation(series(
      64, [](size_t i) { return std::sin(2 * std::numbers::pi * static_cast<double>(i) / 16); }));
  EXPECT_TRUE(found.found);
  EXPECT_NEAR(found.period, 16, 0.5);
}

TEST(Oscillation, OfASquareWaveIsFoundWithItsPeriod) {
  for (const size_t period : {4u, 10u, 24u}) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
      Random random(seed, 1);
      const auto found = find_oscillation(series(150, [&](size_t i) {
        return (i % period < period / 2 ? 1.0 : 2.0) + 0.3 * normal(random);
      }));
      EXPECT_TRUE(found.found) << period << " p " << found.p_value;
      EXPECT_NEAR(found.period, static_cast<double>(period), 0.1 * static_cast<double>(period));
    }
  }
}

TEST(Oscillation, OfOneSlowStepInEightIsFound) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed, 2);
    const auto found = find_oscillation(
        series(100, [&](size_t i) { return (i % 8 == 7 ? 10.0 : 1.0) + 0.1 * normal(random); }));
    EXPECT_TRUE(found.found) << found.p_value;
    EXPECT_NEAR(found.period, 8, 0.3);
  }
}

TEST(Oscillation, OfAFewSamplesIsNotLookedFor) {
  const auto few = series(kLeastSamples - 1, [](size_t i) { return i % 2 == 0 ? 1.0 : 2.0; });
  EXPECT_EQ(find_oscillation(few), Oscillation{});
  EXPECT_EQ(find_oscillation({}), Oscillation{});
}

TEST(Oscillation, OfEqualSamplesIsNone) {
  EXPECT_FALSE(find_oscillation(std::vector<double>(100, 0.01)).found);
}

}  // namespace
}  // namespace seda::diagnose
