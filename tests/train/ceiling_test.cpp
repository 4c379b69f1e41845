// SPDX-License-Identifier: Apache-2.0
#include "seda/train/ceiling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/diagnose/scripted_loader.h"
#include "tests/train/fake_engine.h"

namespace seda::train {
namespace {

using diagnose::testing_support::ScriptedLoader;
using testing_support::FakeBehaviour;
using testing_support::FakeEngine;

/// Batches of no arrays, which the engine does not look at.
class CeilingTest : public testing::Test {
 protected:
  CeilingTest() {
    behaviour_.when_given = [&](const feed::Batch& batch, const StepOptions& options) {
      given_.emplace_back(batch.info.bucket, options.part);
    };
    for (const uint32_t bucket : {0, 0, 0, 2})
      run_.add({.seconds = 0.1, .bucket = bucket, .clips = 16}, 0, {.real = 1, .all = 1});
  }

  std::optional<Ceiling> measure(int accumulation) {
    FakeEngine engine({}, behaviour_);
    ScriptedLoader loader(platform_, 100);
    return measure_ceiling(engine, loader, platform_.default_stream(device::kCpu), run_,
                           accumulation);
  }

  device::Platform platform_;
  FakeBehaviour behaviour_;
  std::vector<std::pair<uint32_t, int>> given_;  // bucket and part of each step
  FigureCounter run_;
};

TEST_F(CeilingTest, TimesTheShapesOfTheRun) {
  const auto found = measure(1);
  ASSERT_TRUE(found);
  EXPECT_GT(found->batches_per_second, 0);
  EXPECT_LT(found->share, 1) << "steps that do nothing are faster";
  EXPECT_THAT(given_, testing::Contains(std::pair(0U, 0)));
  EXPECT_THAT(given_, testing::Contains(std::pair(2U, 0)));
  EXPECT_THAT(given_, testing::Not(testing::Contains(std::pair(1U, 0)))) << "of no step";
}

TEST_F(CeilingTest, TimesWholeUpdates) {
  ASSERT_TRUE(measure(3));
  ASSERT_EQ(given_.size() % 3, 0u);
  for (size_t i = 0; i < given_.size(); ++i)
    EXPECT_EQ(given_[i].second, static_cast<int>(i % 3));
}

TEST_F(CeilingTest, OfStepsThatWouldTakeTooLongIsNothing) {
  run_.add({.seconds = 60, .bucket = 0, .clips = 16}, 0, {.real = 1, .all = 1});
  const auto found = measure(1);
  ASSERT_TRUE(found);
  EXPECT_THAT(given_, testing::Not(testing::Contains(std::pair(0U, 0))));
  EXPECT_THAT(given_, testing::Contains(std::pair(2U, 0)));
}

TEST_F(CeilingTest, OfARunWithoutStepsIsNothing) {
  run_ = {};
  EXPECT_FALSE(measure(1));
}

}  // namespace
}  // namespace seda::train
