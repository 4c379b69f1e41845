// SPDX-License-Identifier: Apache-2.0
// Ranks are threads here, each with an engine of its own, over real connections.
#include <future>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/base/error.h"
#include "seda/train/engine/batch_tensors.h"
#include "seda/train/engine/connection.h"
#include "seda/train/engine/loss_ring.h"
#include "seda/train/engine/rank_group.h"
#include "seda/train/engine/step_graphs.h"
#include "seda/train/engine/torch_device.h"
#include "seda/train/engine/training_step.h"
#include "tests/support/error_message.h"
#include "tests/train/small_engine.h"

namespace seda::train {
namespace {

using seda::testing_support::error_message;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using namespace testing_support;

constexpr feed::BatchShape kWhole{.batch = 8, .tokens = 6, .frames = 24, .n_mels = 8};
constexpr feed::BatchShape kHalf{.batch = 4, .tokens = 6, .frames = 24, .n_mels = 8};

/// A port that is free now.
int free_port() {
  return Listener().port();
}

EngineOptions rank_options(const Place& place, int rank, int count, int port) {
  EngineOptions options = small_options(place);
  options.ranks = {.rank = rank,
                   .count = count,
                   .local_rank = rank,
                   .local_count = count,
                   .address = "127.0.0.1",
                   .port = port};
  return options;
}

/// Rows rank, rank + 2, … of the whole batch, as the sampler gives them.
std::vector<MadeClip> clips_of(int rank) {
  const auto all = made_clips(kWhole.batch, kWhole);
  std::vector<MadeClip> own;
  for (size_t i = static_cast<size_t>(rank); i < all.size(); i += 2)
    own.push_back(all[i]);
  return own;
}

/// What two ranks collect from the same updates.
template <typename Run>
auto on_two_ranks(Run run) {
  const int port = free_port();
  auto second = std::async(std::launch::async, [&] { return run(1, port); });
  auto first = run(0, port);
  return std::pair(std::move(first), second.get());
}

class RanksTest : public testing::Test {
 protected:
  void SetUp() override {
    torch::set_num_threads(1);
    ::setenv("SEDA_RANK_TIMEOUT_S", "20", 1);
  }
  void TearDown() override { ::unsetenv("SEDA_RANK_TIMEOUT_S"); }
};

void expect_two_ranks_equal_one(int accumulation) {
  Place place;
  EngineOptions alone = small_options(place);
  alone.optimizer.accumulation = accumulation;
  const auto engine = make_torch_engine(alone);
  const feed::Batch whole = make_batch(place, kWhole, made_clips(kWhole.batch, kWhole));
  const auto steps = [&](Engine& trained, const feed::Batch& batch) {
    for (int step = 0; step < 6; ++step) {
      trained.step(batch, {.update = static_cast<uint64_t>(step / accumulation),
                           .part = step % accumulation,
                           .lr = 1e-3});
    }
    return trained.collect(0);
  };
  const auto expected = steps(*engine, whole);
  const auto [first, second] = on_two_ranks([&](int rank, int port) {
    Place own;
    EngineOptions options = rank_options(own, rank, 2, port);
    options.optimizer.accumulation = accumulation;
    const auto trained = make_torch_engine(options);
    return steps(*trained, make_batch(own, kHalf, clips_of(rank)));
  });
  ASSERT_THAT(first, SizeIs(expected.size()));
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(first[i].total, expected[i].total, 2e-5F * expected[i].total) << i;
    EXPECT_NEAR(first[i].duration, expected[i].duration, 1e-4F * expected[i].duration) << i;
    EXPECT_NEAR(first[i].gradient_norm, expected[i].gradient_norm,
                1e-3F * expected[i].gradient_norm)
        << i;
    EXPECT_EQ(first[i].total, second[i].total) << i;
    EXPECT_EQ(first[i].gradient_norm, second[i].gradient_norm) << i;
  }
}

TEST_F(RanksTest, TwoHalvesLearnWhatTheWholeDoes) {
  expect_two_ranks_equal_one(1);
}

TEST_F(RanksTest, AccumulatedHalvesLearnWhatTheWholeDoes) {
  expect_two_ranks_equal_one(2);
}

TEST_F(RanksTest, NotANumberOfOneRankLatchesAll) {
  const auto [first, second] = on_two_ranks([](int rank, int port) {
    Place place;
    const auto engine = make_torch_engine(rank_options(place, rank, 2, port));
    feed::Batch batch = make_batch(place, kHalf, clips_of(rank));
    if (rank == 1) batch.arrays.mel[0] = std::numeric_limits<float>::infinity();
    return train(*engine, batch, 0, 2);
  });
  EXPECT_FALSE(first[0].finite);
  EXPECT_FALSE(second[0].finite);
}

TEST_F(RanksTest, LargestIsOverAll) {
  const auto [first, second] = on_two_ranks([](int rank, int port) {
    Place place;
    const auto engine = make_torch_engine(rank_options(place, rank, 2, port));
    const std::vector<double> values = {rank == 0 ? 5.0 : 1.0, rank == 0 ? -3.0 : -2.0};
    return engine->largest(values);
  });
  EXPECT_THAT(first, ElementsAre(5, -2));
  EXPECT_EQ(first, second);
}

TEST_F(RanksTest, RankThatEndsIsNamed) {
  const auto [first, second] = on_two_ranks([](int rank, int port) {
    Place place;
    const auto engine = make_torch_engine(rank_options(place, rank, 2, port));
    const feed::Batch batch = make_batch(place, kHalf, clips_of(rank));
    const uint64_t updates = rank == 1 ? 1 : 3;
    return error_message([&] { train(*engine, batch, 0, updates); });
  });
  EXPECT_THAT(first, HasSubstr("rank 1 went away"));
  EXPECT_EQ(second, "nothing was thrown");
}

TEST_F(RanksTest, EndOfTheFirstIsNamedToo) {
  const auto [first, second] = on_two_ranks([](int rank, int port) {
    Place place;
    const auto engine = make_torch_engine(rank_options(place, rank, 2, port));
    const feed::Batch batch = make_batch(place, kHalf, clips_of(rank));
    const uint64_t updates = rank == 0 ? 1 : 3;
    return error_message([&] { train(*engine, batch, 0, updates); });
  });
  EXPECT_THAT(second, HasSubstr("rank 0 went away"));
}

TEST_F(RanksTest, RankThatNeverComesIsNamed) {
  ::setenv("SEDA_RANK_TIMEOUT_S", "1", 1);
  Place place;
  EXPECT_THAT(error_message([&] { make_torch_engine(rank_options(place, 0, 3, free_port())); }),
              HasSubstr("waited for rank 1, rank 2 to join"));
  EXPECT_THAT(error_message([&] { make_torch_engine(rank_options(place, 1, 2, free_port())); }),
              AnyOf(HasSubstr("no answer from 127.0.0.1"), HasSubstr("rank 0 did not come")));
}

/// Losses of some steps whose gradients go through `group`, as graphs.
std::vector<StepLosses> graph_steps(Place& place, RankGroup* group) {
  const StreamScope scope(place.stream);
  const EngineOptions options = small_options(place);
  torch::manual_seed(options.seed);
  model::VoiceModel model(options.model);
  FlatParameters parameters(model.ptr(), torch_device(place.stream.device()), torch::kFloat32);
  Optimizer optimizer(parameters, options.optimizer, /*fused=*/true);
  TrainingStep step(model, parameters, optimizer, group, options);
  StepGraphs graphs(step, place.stream);
  LossRing ring(place.stream);
  const feed::Batch batch = make_batch(place, kHalf);
  for (uint64_t update = 0; update < 4; ++update) {
    step.prepare({.update = update, .part = 0, .lr = 1e-3});
    graphs.run(batch, /*ends_update=*/true);
    ring.push(step.row());
  }
  return ring.take(0);
}

TEST_F(RanksTest, SumsOfGpusAreCaptured) {
  if (const std::string why = platform().cuda_absence(); !why.empty()) GTEST_SKIP() << why;
  Place place(device::cuda(0));
  const Ranks single{.rank = 0,
                     .count = 1,
                     .local_rank = 0,
                     .local_count = 1,
                     .address = "127.0.0.1",
                     .port = free_port()};
  const auto group = join_rank_group(single, device::cuda(0));
  const auto expected = graph_steps(place, nullptr);
  const auto found = graph_steps(place, group.get());
  ASSERT_THAT(found, SizeIs(expected.size()));
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].total, expected[i].total, 1e-3F * expected[i].total) << i;
    EXPECT_NEAR(found[i].gradient_norm, expected[i].gradient_norm,
                1e-2F * expected[i].gradient_norm)
        << i;
  }
}

TEST_F(RanksTest, TimeoutThatIsNoNumberIsRefused) {
  ::setenv("SEDA_RANK_TIMEOUT_S", "soon", 1);
  Place place;
  EXPECT_THAT(error_message([&] { make_torch_engine(rank_options(place, 0, 2, free_port())); }),
              HasSubstr("SEDA_RANK_TIMEOUT_S"));
}

}  // namespace
}  // namespace seda::train
