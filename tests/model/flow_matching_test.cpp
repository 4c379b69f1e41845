// SPDX-License-Identifier: Apache-2.0
#include "seda/model/flow_matching.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/model/decoder.h"
#include "tests/model/model_clips.h"

namespace seda::model {
namespace {

using testing_support::noise_of;

TEST(FlowMatching, SampleLiesOnTheWayAndMovesAlongIt) {
  torch::manual_seed(1);
  const auto start = torch::randn({2, 3, 4}, torch::kFloat64);
  const auto mel = torch::randn({2, 3, 4}, torch::kFloat64);
  const auto time = torch::tensor({0.25, 0.9}, torch::kFloat64);
  const FlowSample found = flow_sample(start, mel, time);
  for (int64_t row = 0; row < 2; ++row) {
    const double t = time[row].item<double>();
    for (int64_t i = 0; i < 12; ++i) {
      const double x0 = start[row].view(12)[i].item<double>();
      const double x1 = mel[row].view(12)[i].item<double>();
      EXPECT_NEAR(found.mel[row].view(12)[i].item<double>(), (1 - (1 - 1e-4) * t) * x0 + t * x1,
                  1e-12);
      EXPECT_NEAR(found.velocity[row].view(12)[i].item<double>(), x1 - (1 - 1e-4) * x0, 1e-12);
    }
  }
}

TEST(FlowMatching, TimesOfABatchAreSpread) {
  const auto times = flow_times(16, noise_of(7));
  auto sorted = std::get<0>(times.sort());
  EXPECT_GE(sorted[0].item<double>(), 0);
  EXPECT_LE(sorted[15].item<double>(), 1);
  EXPECT_LT(sorted.diff().max().item<double>(), 0.15) << "drawn apart they would leave gaps";
  EXPECT_FALSE(torch::equal(times, flow_times(16, noise_of(8))));
}

TEST(FlowMatching, TimesAreEvenOverUpdates) {
  double sum = 0;
  double squares = 0;
  for (int64_t update = 0; update < 500; ++update) {
    const double time = flow_times(3, noise_of(update))[2].item<double>();
    sum += time;
    squares += time * time;
  }
  EXPECT_NEAR(sum / 500, 0.5, 0.05);
  EXPECT_NEAR(squares / 500, 1.0 / 3, 0.05);
}

TEST(FlowMatching, TimesOfTwoRanksAreThoseOfOne) {
  const auto update = torch::tensor(3, torch::kInt64);
  const auto all = flow_times(6, Noise(5, update));
  for (int rank = 0; rank < 2; ++rank) {
    EXPECT_TRUE(torch::equal(flow_times(3, Noise(5, update, rank, 2)), all.slice(0, rank, 6, 2)));
  }
}

/// dx/dt = a · x + t
torch::Tensor linear_field(const torch::Tensor& state, double time) {
  return state * -1.5 + time;
}

TEST(Solver, EulerFollowsALinearFieldStepByStep) {
  for (const int steps : {1, 2, 10}) {
    double expected = 2;
    for (int i = 0; i < steps; ++i)
      expected += (-1.5 * expected + static_cast<double>(i) / steps) / steps;
    const auto start = torch::tensor({2.0}, torch::kFloat64);
    const auto found = solve_flow(start, linear_field, Solver::euler, steps);
    EXPECT_NEAR(found.item<double>(), expected, 1e-12) << steps;
    EXPECT_EQ(start.item<double>(), 2) << "the start was changed";
  }
}

TEST(Solver, MidpointFollowsALinearFieldStepByStep) {
  for (const int steps : {1, 2, 10}) {
    const double h = 1.0 / steps;
    double expected = 2;
    for (int i = 0; i < steps; ++i) {
      const double middle = expected + h / 2 * (-1.5 * expected + i * h);
      expected += h * (-1.5 * middle + (i + 0.5) * h);
    }
    const auto found =
        solve_flow(torch::tensor({2.0}, torch::kFloat64), linear_field, Solver::midpoint, steps);
    EXPECT_NEAR(found.item<double>(), expected, 1e-12) << steps;
  }
}

TEST(Solver, MidpointIsNearerToTheTruthThanEuler) {
  const auto decay = [](const torch::Tensor& state, double) { return -state; };
  const auto start = torch::ones({1}, torch::kFloat64);
  const double euler = solve_flow(start, decay, Solver::euler, 10).item<double>();
  const double midpoint = solve_flow(start, decay, Solver::midpoint, 10).item<double>();
  EXPECT_LT(std::abs(midpoint - std::exp(-1)), 0.1 * std::abs(euler - std::exp(-1)));
}

TEST(Decoder, TimeWavesAreCosinesAndSines) {
  const auto found = time_waves(torch::tensor({0.3}, torch::kFloat64), 8);
  for (int i = 0; i < 4; ++i) {
    const double angle = 300 * std::pow(10000.0, -i / 4.0);
    EXPECT_NEAR(found[0][i].item<double>(), std::cos(angle), 1e-9);
    EXPECT_NEAR(found[0][i + 4].item<double>(), std::sin(angle), 1e-9);
  }
}

TEST(Decoder, BeginsWithoutVelocity) {
  const torch::NoGradGuard no_grad;
  Decoder decoder(testing_support::small_options(), 0);
  const Sequence sequence = make_sequence(testing_support::ints({5}), 5, 8,
                                          torch::TensorOptions(torch::kFloat32), nullptr);
  const Condition condition{.hidden = torch::randn({1, 5, 16}),
                            .mean = torch::randn({1, 5, 6}),
                            .speaker = torch::randn({1, 16})};
  const auto found =
      decoder->forward(torch::randn({1, 5, 6}), torch::full({1}, 0.5), condition, sequence);
  EXPECT_EQ(found.abs().max().item<double>(), 0);
}

}  // namespace
}  // namespace seda::model
