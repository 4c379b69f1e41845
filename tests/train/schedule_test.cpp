// SPDX-License-Identifier: Apache-2.0
#include "seda/train/schedule.h"

#include <cmath>

#include <gtest/gtest.h>

namespace seda::train {
namespace {

Schedule schedule_of(Decay decay) {
  return {.decay = decay, .peak = 2.0, .warmup = 10, .total = 111, .final_share = 0.1};
}

TEST(Schedule, RisesLinearlyToItsPeak) {
  const Schedule schedule = schedule_of(Decay::cosine);
  EXPECT_DOUBLE_EQ(schedule.at(0), 0.2);
  EXPECT_DOUBLE_EQ(schedule.at(4), 1.0);
  EXPECT_DOUBLE_EQ(schedule.at(9), 2.0);
  EXPECT_DOUBLE_EQ(schedule.at(10), 2.0);
}

TEST(Schedule, EndsAtItsShareOfThePeak) {
  for (const Decay decay : {Decay::linear, Decay::cosine, Decay::exponential}) {
    EXPECT_NEAR(schedule_of(decay).at(110), 0.2, 1e-12);
    EXPECT_NEAR(schedule_of(decay).at(5000), 0.2, 1e-12) << "later ones keep the last";
  }
  EXPECT_DOUBLE_EQ(schedule_of(Decay::constant).at(110), 2.0);
}

TEST(Schedule, IsHalfWayWhereItsFormulaSays) {
  EXPECT_NEAR(schedule_of(Decay::linear).at(60), 2 * (1 - 0.5 * 0.9), 1e-12);
  EXPECT_NEAR(schedule_of(Decay::cosine).at(60), 2 * (0.1 + 0.9 * 0.5), 1e-12);
  EXPECT_NEAR(schedule_of(Decay::exponential).at(60), 2 * std::sqrt(0.1), 1e-12);
  EXPECT_NEAR(schedule_of(Decay::inverse_sqrt).at(39), 2 * 0.5, 1e-12);
}

TEST(Schedule, WithoutWarmUpBeginsAtThePeak) {
  EXPECT_NEAR((Schedule{.decay = Decay::linear, .peak = 1, .warmup = 0, .total = 1}.at(0)), 0.01,
              1e-12);
  EXPECT_DOUBLE_EQ((Schedule{.decay = Decay::linear, .peak = 1, .warmup = 0, .total = 50}.at(0)),
                   1.0);
}

TEST(Schedule, ReadsTheConfiguration) {
  config::Config config;
  config.set("training.schedule", "inverse_sqrt", {});
  const Schedule found = schedule(config, 77);
  EXPECT_EQ(found.decay, Decay::inverse_sqrt);
  EXPECT_EQ(found.warmup, 7u);
  EXPECT_EQ(found.total, 77u);
}

TEST(Schedule, WarmsUpForATenthOfAShortRunUnlessItIsTold) {
  config::Config config;
  EXPECT_EQ(schedule(config, 400).warmup, 40u);
  EXPECT_EQ(schedule(config, 100'000).warmup, 500u);
  config.set("training.warmup_steps", int64_t{300}, {});
  EXPECT_EQ(schedule(config, 400).warmup, 300u);
}

}  // namespace
}  // namespace seda::train
