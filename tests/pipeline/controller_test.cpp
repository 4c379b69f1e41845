// SPDX-License-Identifier: Apache-2.0
#include "seda/pipeline/controller.h"

#include <algorithm>
#include <functional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/random.h"
#include "tests/support/error_message.h"

namespace seda::pipeline {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::error_message;

constexpr ControllerOptions kOptions{.min_workers = 1, .max_workers = 8};

StageSample overloaded(int workers) {
  return {.workers = workers, .busy_share = 1, .blocked_out_share = 0, .starved_share = 0.4};
}
StageSample idle(int workers) {
  return {.workers = workers, .busy_share = 0.1, .blocked_out_share = 0.9, .starved_share = 0};
}
StageSample starving_for_input(int workers) {
  return {.workers = workers, .busy_share = 0.1, .blocked_out_share = 0, .starved_share = 0.9};
}

/// The worker counts after each of `samples` intervals of a stage that behaves as `stage` says.
std::vector<int> follow(Controller& controller, int workers, int samples,
                        const std::function<StageSample(int workers)>& stage) {
  std::vector<int> counts;
  for (int i = 0; i < samples; ++i)
    counts.push_back(workers = controller.update(stage(workers)));
  return counts;
}

/// A stage of which `load` workers' worth of work is asked in steady flow.
StageSample steady(double load, int workers) {
  const double done = std::min<double>(load, workers);
  const double busy = done / workers;
  return {.workers = workers,
          .busy_share = busy,
          .blocked_out_share = 1 - busy,
          .starved_share = 1 - done / load};
}

int changes_in(const std::vector<int>& counts) {
  int changes = 0;
  for (size_t i = 1; i < counts.size(); ++i)
    changes += counts[i] != counts[i - 1] ? 1 : 0;
  return changes;
}

TEST(Controller, AddsAWorkerWhenTheConsumerWaitsOnABusyStage) {
  Controller controller(kOptions);
  EXPECT_THAT(follow(controller, 2, 7, overloaded), ElementsAre(2, 2, 3, 3, 3, 4, 4));
}

TEST(Controller, TakesAWorkerWhenTheyWaitForRoom) {
  Controller controller(kOptions);
  EXPECT_THAT(follow(controller, 3, 7, idle), ElementsAre(3, 3, 2, 2, 2, 1, 1));
}

TEST(Controller, LeavesAStageAloneThatWaitsForItsInput) {
  Controller controller(kOptions);
  EXPECT_THAT(follow(controller, 3, 20, starving_for_input), Each(3));
}

TEST(Controller, LeavesAloneWhenTheOthersCouldNotDoTheWork) {
  Controller controller(kOptions);  // half of two is the whole of one
  EXPECT_THAT(follow(controller, 2, 20, [](int workers) { return steady(1.0, workers); }), Each(2));
}

TEST(Controller, KeepsItsBounds) {
  Controller controller({.min_workers = 2, .max_workers = 3});
  EXPECT_THAT(follow(controller, 3, 20, overloaded), Each(3));
  EXPECT_EQ(follow(controller, 3, 20, idle).back(), 2);
  EXPECT_EQ(controller.update(starving_for_input(1)), 2);
  EXPECT_EQ(controller.update(starving_for_input(9)), 3);
}

TEST(Controller, OneOddSampleChangesNothing) {
  Controller controller(kOptions);
  int sample = 0;
  const auto flickering = [&](int workers) {
    return ++sample % 3 == 0 ? steady(0.9 * workers, workers) : overloaded(workers);
  };
  EXPECT_THAT(follow(controller, 4, 60, flickering), Each(4));
}

TEST(Controller, FindsTheWorkersOfASteadyLoadAndStaysThere) {
  for (double load = 0.1; load < 12; load += 0.1) {
    for (const int start : {1, 4, 8}) {
      Controller controller(kOptions);
      const auto counts =
          follow(controller, start, 100, [load](int workers) { return steady(load, workers); });
      const int final = counts.back();
      EXPECT_GE(final + 1e-9, std::min(load * 0.95, 8.0)) << load;  // 5 % may starve
      EXPECT_LE(changes_in(counts), 7) << load;
      EXPECT_THAT(std::vector(counts.begin() + 40, counts.end()), Each(final)) << load;
      EXPECT_EQ(controller.state().reversals, 0) << load;
    }
  }
}

TEST(Controller, NoiseOnASteadyLoadDoesNotRockIt) {
  for (double load = 0.5; load < 7; load += 0.25) {
    Controller controller(kOptions);
    Random random(3);
    const auto counts = follow(controller, 1, 1000, [&](int workers) {
      return steady(load * random.uniform(0.9, 1.1), workers);
    });
    EXPECT_THAT(std::vector(counts.begin() + 500, counts.end()), Each(counts.back())) << load;
  }
}

TEST(Controller, AStageThatContradictsItselfChangesEverMoreRarely) {
  Controller controller(kOptions);
  const auto contrary = [](int workers) { return workers <= 2 ? overloaded(2) : idle(3); };
  EXPECT_LE(changes_in(follow(controller, 2, 10'000, contrary)), 12);
}

TEST(Controller, FollowsALoadThatChanges) {
  Controller controller(kOptions);
  const auto at = [](double load) { return [load](int workers) { return steady(load, workers); }; };
  EXPECT_EQ(follow(controller, 1, 50, at(5)).back(), 5);
  EXPECT_EQ(follow(controller, 5, 50, at(1)).back(), 2);
  EXPECT_EQ(follow(controller, 2, 100, at(4)).back(), 4);
}

TEST(Decide, DependsOnItsArgumentsAlone) {
  const ControllerState state{.options = kOptions,
                              .tendency = Tendency::grow,
                              .agreeing = 2,
                              .last_change = Tendency::hold,
                              .reversals = 0};
  EXPECT_EQ(decide(state, overloaded(2)), 3);
  EXPECT_EQ(decide(state, overloaded(2)), 3);
  EXPECT_EQ(decide(state, idle(2)), 2);
}

TEST(ControllerOptions, ThatContradictThemselvesAreRefused) {
  EXPECT_THAT(error_message([] { Controller({.min_workers = 0}); }), HasSubstr("min_workers"));
  EXPECT_THAT(error_message([] { Controller({.min_workers = 3, .max_workers = 2}); }),
              HasSubstr("found 3 and 2"));
  EXPECT_THAT(error_message([] { Controller({.busy_to_grow = 0.5}); }), HasSubstr("must be below"));
  EXPECT_THAT(error_message([] { Controller({.patience = 0}); }), HasSubstr("patience"));
}

TEST(MakeSample, TakesSharesOfWorkerTime) {
  const StageSample sample = make_sample(
      4, {.count = 9, .bytes = 0, .busy_s = 3, .blocked_in_s = 1, .blocked_out_s = 4, .workers = 5},
      0.5, 2.0);
  EXPECT_EQ(sample.workers, 4);
  EXPECT_DOUBLE_EQ(sample.busy_share, 3 / 8.0);
  EXPECT_DOUBLE_EQ(sample.blocked_out_share, 4 / 8.0);
  EXPECT_DOUBLE_EQ(sample.starved_share, 0.25);
}

TEST(MakeSample, OfNoTimeSaysNothing) {
  const StageSample sample = make_sample(1, {}, 0, 0);
  EXPECT_EQ(sample.busy_share, 0);
  EXPECT_EQ(sample.starved_share, 0);
}

}  // namespace
}  // namespace seda::pipeline
