// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/trial.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace seda::diagnose {
namespace {

TrialRun run_of(double rate, double stall = 0) {
  return {.clips_per_second = rate, .stall = stall, .batch_s = 16 / rate};
}

Trial trial(int workers, double rate, double stall = 0) {
  return {{.workers = workers}, {run_of(rate, stall)}};
}

TEST(Trial, HasTheMedianOfItsRuns) {
  const Trial three{{}, {run_of(100), run_of(1), run_of(110)}};
  EXPECT_EQ(three.clips_per_second(), 100);
  EXPECT_EQ(Trial{}.clips_per_second(), 0);
}

TEST(TrialSettings, SayWhatMeasuresABatch) {
  feed::FeedOptions options;
  options.workers = 2;
  EXPECT_EQ(to_string(trial_settings(options)), "workers 2, batch 16, ahead auto, slots 3");
  EXPECT_EQ(to_json(trial_settings(options))["batch_size"], 16);
  options.batch_frames = 8000;
  EXPECT_EQ(to_string(trial_settings(options)),
            "workers 2, batch 8000 frames, ahead auto, slots 3");
  const Json json = to_json(trial_settings(options));
  EXPECT_TRUE(json["batch_size"].is_null());
  EXPECT_EQ(json["batch_frames"], 8000);
}

TEST(CheapestGood, IsWithinTwoPercentOfTheBest) {
  const Trial trials[] = {trial(1, 500), trial(4, 985), trial(2, 970), trial(8, 1000)};
  EXPECT_EQ(cheapest_good(trials)->settings.workers, 4);
  EXPECT_EQ(fastest(trials)->settings.workers, 8);
}

TEST(CheapestGood, PrefersFewerWorkersThenSmallerBatches) {
  Trial trials[] = {trial(2, 1000), trial(2, 1000), trial(4, 1000)};
  trials[0].settings.batch_size = 32;
  trials[1].settings.batch_size = 8;
  trials[2].settings.batch_size = 4;
  EXPECT_EQ(cheapest_good(trials), &trials[1]);
}

TEST(CheapestGood, AtAStepIsTheCheapestThatKeepsUp) {
  const Trial trials[] = {trial(1, 500, 0.4), trial(2, 985, 0.02), trial(3, 990, 0.009),
                          trial(4, 1000, 0)};
  EXPECT_EQ(cheapest_good(trials, 0.02)->settings.workers, 3);
  EXPECT_EQ(cheapest_good(trials, 0)->settings.workers, 2);
}

TEST(CheapestGood, AtAStepThatNoneKeepsUpWithIsNearTheBest) {
  const Trial trials[] = {trial(1, 500, 0.5), trial(2, 900, 0.2), trial(4, 910, 0.19)};
  EXPECT_EQ(cheapest_good(trials, 0.001)->settings.workers, 2);
}

TEST(CheapestGood, OfNoneIsNone) {
  EXPECT_EQ(cheapest_good({}), nullptr);
  EXPECT_EQ(fastest({}), nullptr);
}

TEST(RunInterleaved, RunsEachTrialOnceARound) {
  std::vector<Trial> trials(5);
  for (int i = 0; i < 5; ++i)
    trials[static_cast<size_t>(i)].settings.workers = i + 1;
  std::vector<int> order;
  int calls = 0;
  run_interleaved(
      trials, 3,
      [&](const TrialSettings& settings) {
        order.push_back(settings.workers);
        return run_of(settings.workers);
      },
      [&] { ++calls; });
  EXPECT_EQ(calls, 15);
  for (const Trial& each : trials) {
    EXPECT_EQ(each.runs.size(), 3u);
    EXPECT_EQ(each.clips_per_second(), each.settings.workers);
  }
  for (size_t round = 0; round < 3; ++round)
    EXPECT_THAT(std::vector(order.begin() + static_cast<long>(5 * round),
                            order.begin() + static_cast<long>(5 * round + 5)),
                testing::UnorderedElementsAre(1, 2, 3, 4, 5));
}

TEST(TrialSettings, SayAutoWhereNothingIsSet) {
  const Json json = to_json(TrialSettings{.workers = 0, .prefetch = 4});
  EXPECT_EQ(json["num_workers"], "auto");
  EXPECT_EQ(json["prefetch_buffer_size"], 4);
  EXPECT_EQ(to_string(TrialSettings{.workers = 2}), "workers 2, batch 16, ahead auto, slots 3");
}

}  // namespace
}  // namespace seda::diagnose
