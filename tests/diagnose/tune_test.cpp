// SPDX-License-Identifier: Apache-2.0
// The search on machines of known behaviour: a rate for every number of workers.
#include "seda/diagnose/tune.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/random.h"
#include "seda/config/schema.h"
#include "tests/support/manual_clock.h"

namespace seda::diagnose {
namespace {

using testing::ElementsAre;
using testing::Ge;
using testing::Le;
using testing_support::ManualClock;

constexpr int64_t kTrialNs = 400'000'000;

/// A loader as a formula. Each trial takes its time of `clock`.
struct Machine {
  double rate_of_one = 1000;
  double ceiling = 1e9;   ///< Clips/s of what is behind the workers.
  int free_cores = 1000;  ///< More workers than these bring nothing.
  double noise = 0.003;
  double step_s = 0;
  int least_ahead = 0;  ///< Fewer batches ready halve the rate.
  int core_bound = 1;   ///< Whether workers use the cores.
  int cores = 1;
  int hogs = 0;          ///< Threads of others that share all cores evenly with the workers.
  bool chooses = false;  ///< Where no number of workers is given, it is as many as cores.

  TrialRun run(const TrialSettings& settings) {
    const int workers = settings.workers > 0 ? settings.workers : cores;
    double rate = std::min(ceiling, rate_of_one * std::min(workers, free_cores));
    if (hogs > 0) rate = rate_of_one * cores * workers / (workers + hogs);
    if (settings.prefetch + settings.slots < least_ahead && settings.prefetch > 0) rate /= 2;
    rate *= 1 + noise * (random.uniform() - 0.5);
    const double wanted = step_s > 0 ? settings.batch_size / step_s : 1e12;
    TrialRun out;
    out.clips_per_second = std::min(rate, wanted);
    out.stall = std::max(0.0, 1 - rate / wanted);
    const int others = std::max(0, cores - free_cores);
    out.idle_cores = cores - others - core_bound * std::min(workers, cores - others);
    if (hogs > 0) out.idle_cores = 0;
    clock.advance_ns(kTrialNs);
    return out;
  }

  TuneReport tuned(int all_cores, TuneOptions options = {}) {
    options.cores = cores = all_cores;
    options.step_s = step_s;
    if (!chooses && options.current.workers == 0) {
      options.current.workers = std::min(all_cores, config::kMostWorkers);
    }
    return tune(options, [this](const TrialSettings& settings) { return run(settings); }, clock);
  }

  Random random{1};
  ManualClock clock;
};

TEST(WorkersNearKnee, AreAroundWhereTheCeilingIsReached) {
  EXPECT_THAT(workers_near_knee(100, 380, 16), ElementsAre(3, 4, 5, 10));
  EXPECT_THAT(workers_near_knee(100, 100, 4), ElementsAre(1, 2));
  EXPECT_THAT(workers_near_knee(100, 800, 8), ElementsAre(7, 8));
  EXPECT_THAT(workers_near_knee(0, 0, 8), ElementsAre(8));
}

TEST(Tune, UsesAllCoresWhereEachBringsMore) {
  Machine machine;
  EXPECT_EQ(machine.tuned(8).chosen.settings.workers, 8);
}

TEST(Tune, StopsWhereMoreWorkersBringNothing) {
  for (const int knee : {1, 2, 3, 5, 7}) {
    Machine machine;
    machine.ceiling = 1000.0 * knee - 300;
    const TuneReport report = machine.tuned(16);
    EXPECT_EQ(report.chosen.settings.workers, knee);
    EXPECT_GE(report.best_share, 0.97);
  }
}

TEST(Tune, LeavesCoresThatOthersUse) {
  Machine machine;
  machine.free_cores = 3;
  EXPECT_EQ(machine.tuned(8).chosen.settings.workers, 3);
}

TEST(Tune, TakesNoMoreWorkersThanCoresThoughMoreWouldWinAShareFromOthers) {
  Machine machine;
  machine.hogs = 2;
  EXPECT_LE(machine.tuned(2).chosen.settings.workers, 2);
}

TEST(Tune, TakesMoreWorkersThanCoresWhereTheyWaitForStorage) {
  Machine machine;
  machine.core_bound = 0;
  machine.ceiling = 7000;
  EXPECT_THAT(machine.tuned(2).chosen.settings.workers, testing::AllOf(Ge(7), Le(8)));
}

TEST(Tune, TriesNoMoreWorkersThanTheKeyAllows) {
  Machine machine;
  TuneOptions options;
  options.grid = true;
  for (const Trial& trial : machine.tuned(384, options).trials)
    EXPECT_LE(trial.settings.workers, config::kMostWorkers);
}

TEST(Tune, AtAStepTakesTheFewestWorkersThatKeepUp) {
  Machine machine;
  machine.step_s = 0.005;  // 3,200 clips/s
  const TuneReport report = machine.tuned(16);
  EXPECT_EQ(report.chosen.settings.workers, 4);
  EXPECT_LE(report.chosen.stall(), kNoStall);
}

TEST(Tune, KeepsFewBatchesReadyWhereMoreBringNothing) {
  Machine machine;
  const TuneReport report = machine.tuned(4);
  EXPECT_EQ(report.chosen.settings.slots, 2);
}

TEST(Tune, KeepsMoreBatchesReadyWhereThatIsFaster) {
  Machine machine;
  machine.least_ahead = 7;
  TuneOptions options;
  options.current.prefetch = 2;
  const TuneReport report = machine.tuned(4, options);
  EXPECT_EQ(report.chosen.settings.prefetch, 4);
  EXPECT_EQ(report.chosen.settings.slots, 3);
}

TEST(Tune, LeavesTheBatchSizeUnlessAsked) {
  Machine machine;
  TuneOptions options;
  options.current = {.workers = 2, .batch_size = 24};
  EXPECT_EQ(machine.tuned(2, options).chosen.settings.batch_size, 24);
  options.batch_sizes = {8, 16};
  EXPECT_EQ(machine.tuned(2, options).chosen.settings.batch_size, 8);
}

TEST(Tune, EndsInTime) {
  Machine machine;
  TuneOptions options;
  options.most_s = 3;
  options.batch_sizes = {4, 8, 16, 32};
  EXPECT_LE(machine.tuned(16, options).seconds, 10);
}

TEST(Tune, TakesAboutFifteenSeconds) {
  Machine machine;
  machine.ceiling = 4500;
  EXPECT_LE(machine.tuned(16).seconds, 20);
}

TEST(Tune, MeasuresTheCurrentSettingsFirst) {
  Machine machine;
  TuneOptions options;
  options.current = {.workers = 3, .prefetch = 5, .slots = 4};
  const TuneReport report = machine.tuned(4, options);
  EXPECT_EQ(report.trials.front().settings, options.current);
  EXPECT_EQ(report.trials.front().runs.size(), 3u);
}

TEST(Tune, TakesWhatTheLoaderChoosesForItsValue) {
  Machine machine;
  machine.chooses = true;
  TuneOptions options;
  options.grid = true;
  const TuneReport report = machine.tuned(4, options);
  EXPECT_EQ(report.trials.front().settings, options.current);
  EXPECT_EQ(report.chosen.settings.workers, 0) << "4 cores";
  for (const Trial& trial : report.trials)
    EXPECT_NE(trial.settings.workers, 4) << "it was measured as auto";
}

TEST(Tune, GridTriesEverything) {
  Machine machine;
  TuneOptions options;
  options.grid = true;
  machine.free_cores = 4;
  const TuneReport report = machine.tuned(4, options);
  EXPECT_THAT(report.trials.size(), Ge(20u));
  EXPECT_GE(report.best_share, 0.97);
}

}  // namespace
}  // namespace seda::diagnose
