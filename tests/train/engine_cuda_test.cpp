// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/base/error.h"
#include "seda/base/units.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"
#include "tests/train/small_engine.h"

namespace seda::train {
namespace {

using seda::testing_support::error_message;
using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;
using namespace testing_support;

constexpr feed::BatchShape kLonger{.batch = 4, .tokens = 8, .frames = 48, .n_mels = 8};

/// Skips where there is no GPU.
class EngineOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = platform().cuda_absence(); !why.empty()) GTEST_SKIP() << why;
    place_.emplace(device::cuda(0));
  }

  EngineOptions options(bool graphs, bool mixed) {
    EngineOptions options = small_options(*place_);
    options.graphs = graphs;
    options.mixed_precision = mixed;
    return options;
  }

  /// Steps of two shapes in turn, from batches at other addresses each time.
  std::vector<StepLosses> run(const EngineOptions& options, int steps = 12) {
    const auto engine = make_torch_engine(options);
    std::vector<feed::Batch> slots;
    for (int slot = 0; slot < 6; ++slot)
      slots.push_back(make_batch(*place_, slot % 2 == 0 ? kShape : kLonger, slot * 4));
    const int accumulation = options.optimizer.accumulation;
    for (int step = 0; step < steps; ++step) {
      engine->step(slots[static_cast<size_t>(step) % slots.size()],
                   {.update = static_cast<uint64_t>(step / accumulation),
                    .part = step % accumulation,
                    .lr = 1e-3});
    }
    auto losses = engine->collect(0);
    host_syncs_ = engine->host_syncs();
    graphs_ = engine->graphs();
    peak_ = engine->memory_peak_bytes();
    return losses;
  }

  std::optional<Place> place_;
  uint64_t host_syncs_ = 0;
  size_t graphs_ = 0;
  uint64_t peak_ = 0;
};

void expect_near(const std::vector<StepLosses>& found, const std::vector<StepLosses>& expected,
                 float tolerance) {
  ASSERT_THAT(found, SizeIs(expected.size()));
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].total, expected[i].total, tolerance * expected[i].total) << i;
    EXPECT_NEAR(found[i].gradient_norm, expected[i].gradient_norm,
                10 * tolerance * expected[i].gradient_norm)
        << i;
    EXPECT_TRUE(found[i].finite) << i;
  }
}

TEST_F(EngineOnGpu, GraphsLearnWhatPlainStepsDo) {
  for (const bool mixed : {false, true}) {
    const auto plain = run(options(false, mixed));
    EXPECT_EQ(graphs_, 0U);
    const auto graphs = run(options(true, mixed));
    EXPECT_EQ(graphs_, 2U);
    expect_near(graphs, plain, mixed ? 2e-2F : 1e-3F);
  }
}

TEST_F(EngineOnGpu, GraphsAccumulateToo) {
  EngineOptions plain = options(false, true);
  EngineOptions graphs = options(true, true);
  plain.optimizer.accumulation = graphs.optimizer.accumulation = 2;
  expect_near(run(graphs), run(plain), 2e-2F);
}

TEST_F(EngineOnGpu, StepsDoNotMakeTheHostWait) {
  for (const bool graphs : {false, true}) {
    run(options(graphs, true));
    EXPECT_EQ(host_syncs_, 0U) << (graphs ? "graphs" : "plain");
    EXPECT_GT(peak_, 0U);
  }
}

TEST_F(EngineOnGpu, APlantedLookMakesTheHostWaitEachStep) {
  EngineOptions looking = options(true, true);
  looking.look_ms = 0.1;
  run(looking);
  EXPECT_GE(host_syncs_, 10U) << "of twelve steps the first of both shapes do not count";
}

TEST_F(EngineOnGpu, KernelsOfStepsAreTimed) {
  for (const bool graphs : {false, true}) {
    const auto engine = make_torch_engine(options(graphs, true));
    const feed::Batch batch = make_batch(*place_, kShape, 0);
    const auto steps = [&](int count) {
      for (int i = 0; i < count; ++i)
        engine->step(batch, {.update = 0, .part = 0, .lr = 0});
      engine->collect(0);
    };
    steps(2);
    const auto few = engine->time_kernels([&] { steps(5); });
    const auto more = engine->time_kernels([&] { steps(20); });
    ASSERT_TRUE(few && more);
    EXPECT_GT(few->kernels, 5U) << "graphs " << graphs;
    EXPECT_GT(more->kernels, 3 * few->kernels) << "graphs " << graphs;
    EXPECT_GT(more->busy_s, 0);
    EXPECT_LE(more->busy_s, more->seconds);
  }
}

TEST_F(EngineOnGpu, LearnsWhatTheCpuDoes) {
  EngineOptions on_gpu = options(false, false);
  on_gpu.fused = false;
  const auto found = run(on_gpu, 6);
  place_.emplace(device::kCpu);
  EngineOptions on_cpu = options(false, false);
  on_cpu.fused = false;
  expect_near(found, run(on_cpu, 6), 1e-3F);
}

TEST_F(EngineOnGpu, DeterministicStepsAreEqualBitForBit) {
  EngineOptions fixed = options(true, true);
  fixed.deterministic = true;
  const auto first = totals(run(fixed));
  EXPECT_EQ(first, totals(run(fixed)));
}

TEST_F(EngineOnGpu, NotANumberLatchesInAGraph) {
  const auto engine = make_torch_engine(options(true, true));
  const feed::Batch good = make_batch(*place_, kShape);
  feed::Batch bad = make_batch(*place_, kShape);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  device::copy(bad.memory.location(), device::on_host(&nan), sizeof(nan), place_->stream);
  place_->stream.synchronize();
  EXPECT_TRUE(train(*engine, good, 0, 2).back().finite);
  EXPECT_FALSE(train(*engine, bad, 2, 3).back().finite);
  EXPECT_FALSE(train(*engine, good, 3, 4).back().finite);
}

TEST_F(EngineOnGpu, MakingAGraphLeavesTheStateAsItWas) {
  for (const int accumulation : {1, 2}) {
    EngineOptions plain = options(false, false);
    plain.deterministic = true;
    plain.optimizer.accumulation = accumulation;
    EngineOptions graphs = plain;
    graphs.graphs = true;
    const auto expected = totals(run(plain));
    EXPECT_EQ(totals(run(graphs)), expected) << "accumulation " << accumulation;
  }
}

TEST_F(EngineOnGpu, StateGoesOnBitForBit) {
  EngineOptions fixed = options(true, true);
  fixed.deterministic = true;
  const feed::Batch batch = make_batch(*place_, kShape);
  const auto whole = make_torch_engine(fixed);
  train(*whole, batch, 0, 3);
  const EngineState state = whole->state();
  const seda::testing_support::TemporaryFolder folder;
  write_safetensors(folder.path() / "training", state.training);
  write_safetensors(folder.path() / "average", state.average);
  const auto expected = totals(train(*whole, batch, 3, 6));
  const auto resumed = make_torch_engine(fixed);
  train(*resumed, batch, 0, 1);
  resumed->restore(SafetensorsFile(folder.path() / "training"),
                   SafetensorsFile(folder.path() / "average"));
  EXPECT_EQ(totals(train(*resumed, batch, 3, 6)), expected);
}

TEST_F(EngineOnGpu, LimitOfMemoryIsAClearError) {
  EngineOptions small = options(true, true);
  // What torch keeps of earlier engines counts, too.
  small.memory_limit_bytes = make_torch_engine(small)->memory_peak_bytes() + (uint64_t{64} << 20);
  const feed::BatchShape huge{.batch = 64, .tokens = 200, .frames = 800, .n_mels = 8};
  const auto engine = make_torch_engine(small);
  const feed::Batch batch = make_batch(*place_, huge);
  EXPECT_THAT(error_message([&] { train(*engine, batch, 0, 1); }),
              AllOf(HasSubstr("out of memory"),
                    HasSubstr("its limit is " + format_bytes(small.memory_limit_bytes)),
                    HasSubstr("64 clips"), HasSubstr("data.batch_size")));
  small.memory_limit_bytes = 0;
  EXPECT_THAT(train(*make_torch_engine(small), make_batch(*place_, kShape), 0, 1), SizeIs(1));
}

TEST_F(EngineOnGpu, RehearsalsOfGraphsTakeNoMemoryOfTheirOwn) {
  constexpr feed::BatchShape kLarge{.batch = 128, .tokens = 200, .frames = 800, .n_mels = 8};
  constexpr feed::BatchShape kAsLarge{.batch = 128, .tokens = 196, .frames = 800, .n_mels = 8};
  const auto peak_of = [&](bool graphs) {
    const auto engine = make_torch_engine(options(graphs, true));
    for (const feed::BatchShape& shape : {kLarge, kAsLarge})
      train(*engine, make_batch(*place_, shape), 0, 1);
    return static_cast<double>(engine->memory_peak_bytes());
  };
  const double plain = peak_of(false);
  EXPECT_LT(peak_of(true), 1.5 * plain);
}

TEST_F(EngineOnGpu, SpeaksAndAligns) {
  const auto engine = make_torch_engine(options(true, true));
  const feed::Batch batch = make_batch(*place_, kShape);
  train(*engine, batch, 0, 2);
  EXPECT_THAT(engine->align(batch), SizeIs(kShape.batch));
  const std::vector<model::SpeechRequest> requests = {request({1, 2, 3})};
  EXPECT_GT(engine->speak(requests, {.steps = 2})[0].mel.frames, 0);
  EXPECT_THAT(train(*engine, batch, 2, 4), SizeIs(2));
}

TEST_F(EngineOnGpu, BatchOfAnotherDeviceIsRefused) {
  const auto engine = make_torch_engine(options(true, true));
  Place host;
  const feed::Batch batch = make_batch(host, kShape);
  EXPECT_THAT(error_message([&] { train(*engine, batch, 0, 1); }),
              HasSubstr("expected memory of cuda:0, found that of cpu"));
}

}  // namespace
}  // namespace seda::train
