// SPDX-License-Identifier: Apache-2.0
// What is measured of a training step, with an engine whose parts take known times.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/train/profile_dual.h"
#include "seda/train/profile_step.h"
#include "seda/train/rehearsal.h"
#include "tests/feed/clips.h"
#include "tests/support/asked_to_stop.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"
#include "tests/train/fake_engine.h"
#include "tests/train/training_config.h"

namespace seda::train {
namespace {

using testing::AllOf;
using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::Gt;
using testing::IsEmpty;
using testing::Not;
using testing::Optional;
using testing::SizeIs;
using testing_support::FakeLibrary;
using testing_support::training_config;

class Profile : public testing::Test {
 protected:
  TrainOptions options() const { return train_options(config_, corpus_.path()); }

  feed::Clips corpus_{20};
  config::Config config_ = training_config();
  FakeLibrary library_;
  device::Platform platform_;
};

TEST_F(Profile, StepHasItsPartsInOrderWithTheirTimes) {
  const auto step = profile_step(options(), library_, platform_, {.steps = 8});
  const auto& phases = step.profile.phases;
  std::vector<std::string> names;
  for (const diagnose::StepPhase& phase : phases)
    names.push_back(phase.name);
  ASSERT_THAT(names,
              ElementsAre("data_wait", "forward", "loss", "backward", "optimizer", "logging"));
  EXPECT_DOUBLE_EQ(phases[1].mean_s, 4e-3);
  EXPECT_DOUBLE_EQ(phases[2].mean_s, 1e-3);
  EXPECT_DOUBLE_EQ(phases[3].mean_s, 8e-3);
  EXPECT_DOUBLE_EQ(phases[4].mean_s, 2e-3);
  EXPECT_THAT(phases[3].std_s, DoubleNear(0, 1e-12));
  EXPECT_DOUBLE_EQ(step.profile.host_s, 4e-3);
  double sum = 0;
  for (const diagnose::StepPhase& phase : phases)
    sum += phase.share;
  EXPECT_THAT(sum, DoubleNear(1, 1e-9));
}

TEST_F(Profile, StepOnTheCpuHasNoGraphAndNoIdleGpu) {
  const auto step = profile_step(options(), library_, platform_, {.steps = 8});
  EXPECT_EQ(step.profile.model, device::kCpu);
  EXPECT_FALSE(step.profile.graph_s.has_value());
  EXPECT_FALSE(step.profile.gpu_idle_share.has_value());
  EXPECT_FALSE(step.profile.as_graph_s.has_value());
  EXPECT_FALSE(step.profile.with_fused_s.has_value());
  EXPECT_TRUE(step.profile.fused_s.has_value());
  EXPECT_TRUE(step.profile.plain_s.has_value());
  EXPECT_EQ(step.profile.larger_batch, 8);
  EXPECT_THAT(step.profile.total_s, Gt(0));
}

TEST_F(Profile, StepsOfAFrameBudgetCountTheClipsTheyHad) {
  const auto fixed = profile_step(options(), library_, platform_, {.steps = 8}).profile;
  EXPECT_EQ(fixed.batch_size, 4);
  EXPECT_EQ(fixed.batch_frames, 0);
  EXPECT_DOUBLE_EQ(fixed.clips, 4);
  EXPECT_DOUBLE_EQ(fixed.larger_frames, 2 * fixed.frames) << "all clips are of one shape";
  for (int i = 0; i < 20; ++i)
    corpus_.sing(i, 2000 + 900 * static_cast<size_t>(i));
  testing_support::set(config_, "data.batch_frames", int64_t{160});
  const auto by_frames = profile_step(options(), library_, platform_, {.steps = 8}).profile;
  EXPECT_EQ(by_frames.batch_size, 0);
  EXPECT_EQ(by_frames.batch_frames, 160);
  EXPECT_EQ(by_frames.larger_batch, 320);
  EXPECT_THAT(by_frames.clips, AllOf(Gt(1), testing::Lt(20)));
  EXPECT_THAT(by_frames.frames, AllOf(Gt(80), testing::Le(160)));
  EXPECT_THAT(by_frames.larger_frames, AllOf(Gt(160), testing::Le(320)));
}

TEST_F(Profile, StepsGoOnUntilOneOfAShapeThatWasMetIsTimed) {
  for (int i = 0; i < 20; ++i)
    corpus_.sing(i, 2000 + 900 * static_cast<size_t>(i));
  testing_support::set(config_, "data.num_buckets", int64_t{4});
  const auto step =
      profile_step(options(), library_, platform_, {.steps = 1, .most_s = 0, .most_warm_up_s = 0})
          .profile;
  EXPECT_EQ(step.steps, 1u);
  EXPECT_THAT(step.total_s, Gt(0));
}

TEST_F(Profile, BatchesLargerThanAKeyAllowsAreNotTried) {
  testing_support::set(config_, "data.batch_frames", int64_t{600'000});
  EXPECT_EQ(profile_step(options(), library_, platform_, {.steps = 8}).profile.larger_batch, 0);
}

TEST_F(Profile, IdleTimeIsWhatKernelsLeave) {
  library_.behaviour.busy =
      BusyTime{.busy_s = 0.75, .seconds = 1, .kernels = 300, .steps = 0, .by_name = {}};
  const auto step = profile_step(options(), library_, platform_, {.steps = 4});
  EXPECT_THAT(step.profile.gpu_idle_share, Optional(DoubleNear(0.25, 1e-12)));
  EXPECT_EQ(step.profile.idle_source, "300 kernels in 1.0 s");
}

TEST_F(Profile, AStepTheHostWaitsForIsComparedWithOneItDoesNot) {
  EXPECT_FALSE(
      profile_step(options(), library_, platform_, {.steps = 4}).profile.unwatched_s.has_value());
  testing_support::set(config_, "training.enable_eager_debug", true);
  const auto step = profile_step(options(), library_, platform_, {.steps = 4}).profile;
  EXPECT_THAT(step.unwatched_s, Optional(Gt(0)));
  EXPECT_FALSE(step.fused_s.has_value()) << "op by op is what it is";
}

TEST_F(Profile, NothingIsLeftBehind) {
  const ::seda::testing_support::TemporaryFolder runs;
  testing_support::set(config_, "training.checkpoint_dir", runs.path().string());
  profile_step(options(), library_, platform_, {.steps = 4});
  EXPECT_TRUE(std::filesystem::is_empty(runs.path()));
}

TEST_F(Profile, AStepIsTheLastAfterCtrlC) {
  for (const int last : {1, 9, 20, 40}) {  // in the loop, its parts and the other ways
    int steps = 0;
    std::optional<::seda::testing_support::AskedToStop> stop;
    library_.behaviour.before_step = [&](uint64_t) {
      if (++steps == last) stop.emplace();
    };
    const auto message = ::seda::testing_support::error_message([&] {
      profile_step(options(), library_, platform_, {.steps = 8, .most_s = 0.1, .other_s = 0.1});
    });
    EXPECT_EQ(message, "stopped by Ctrl-C");
    EXPECT_EQ(steps, last);
  }
}

TEST_F(Profile, RehearsalCountsLogPointsAndUpdates) {
  const TrainOptions own = without_runs(options());
  const RunSetup setup = set_up(own, platform_);
  Rehearsal run(own, setup, setup.feed, engine_options(own, setup), library_, platform_);
  int calls = 0;
  const RehearsalFigures seen = run.learn({.updates = 9, .after_update = [&] { ++calls; }});
  EXPECT_EQ(seen.updates, 9u);
  EXPECT_EQ(calls, 9);
  EXPECT_THAT(seen.logging_s, SizeIs(9));
  EXPECT_EQ(std::ranges::count_if(seen.logging_s, [](double s) { return s > 0; }), 3);
  EXPECT_EQ(seen.loader.batches, 9u);
  EXPECT_THAT(seen.steps.last(),
              AllOf(Not(IsEmpty()), Each(Field(&diagnose::BatchTime::clips, 4))));
  EXPECT_THAT(seen.gpus, IsEmpty());
}

TEST_F(Profile, DualOnOneDeviceSaysSoAndHasNoLevel) {
  const DualProfile profile = profile_dual(options(), library_, platform_, {.steps = 8});
  EXPECT_TRUE(profile.shares_device);
  EXPECT_EQ(profile.level, DualLevel::not_measured);
  EXPECT_THAT(profile.roles,
              ElementsAre(Field(&RoleUse::role, "data"), Field(&RoleUse::role, "model")));
  EXPECT_THAT(profile.steps_per_second, Gt(0));
  EXPECT_THAT(profile.one_device_steps_per_second, Gt(0));
  EXPECT_DOUBLE_EQ(profile.gain, profile.steps_per_second / profile.one_device_steps_per_second);
  EXPECT_THAT(profile.dwell_s[static_cast<size_t>(pipeline::SlotState::in_use)], Gt(0));
}

TEST_F(Profile, DualHasTheBudgetsThatBind) {
  const auto budgets = [&] {
    std::vector<std::optional<uint64_t>> out;
    for (const RoleUse& role : profile_dual(options(), library_, platform_, {.steps = 4}).roles)
      out.push_back(role.budget_bytes);
    return out;
  };
  EXPECT_THAT(budgets(), Each(std::nullopt));
  testing_support::set(config_, "data.memory_isolation", true);
  EXPECT_THAT(budgets(),
              ElementsAre(Optional(uint64_t{8192} << 20), Optional(uint64_t{16384} << 20)));
}

TEST(DualLevel, EachAsksForAllOfItsFigures) {
  EXPECT_EQ(level_of(0.60, 0.90, 0.20, 2), DualLevel::excellent);
  EXPECT_EQ(level_of(0.60, 0.90, 0.20, 1.9), DualLevel::good) << "twice one GPU is asked for";
  EXPECT_EQ(level_of(0.50, 0.80, 0.30, 1), DualLevel::good);
  EXPECT_EQ(level_of(0.50, 0.80, 0.31, 1), DualLevel::minimum);
  EXPECT_EQ(level_of(0.40, 0.70, 0.40, 1), DualLevel::minimum);
  EXPECT_EQ(level_of(0.39, 0.99, 0.01, 3), DualLevel::below_minimum);
  EXPECT_EQ(level_of(0.99, 0.69, 0.01, 3), DualLevel::below_minimum);
}

}  // namespace
}  // namespace seda::train
