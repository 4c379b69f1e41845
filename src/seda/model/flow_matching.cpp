// SPDX-License-Identifier: Apache-2.0
#include "seda/model/flow_matching.h"

namespace seda::model {
namespace {

constexpr double kSigma = 1e-4;
constexpr double kGoldenRatio = 0.6180339887498949;

}  // namespace

FlowSample flow_sample(const torch::Tensor& start, const torch::Tensor& mel,
                       const torch::Tensor& time) {
  const auto share = time.view({-1, 1, 1});
  return {start * (1 - (1 - kSigma) * share) + mel * share, mel - (1 - kSigma) * start};
}

torch::Tensor flow_times(int64_t batch, const Noise& noise) {
  const auto shared = noise.common().uniform({1}, NoiseUse::time).to(torch::kFloat64);
  const auto places = noise.rows(batch).to(torch::kFloat64) * kGoldenRatio + shared;
  return (places - places.floor()).to(torch::kFloat32).clamp_max(1);
}

torch::Tensor solve_flow(const torch::Tensor& start, const VelocityField& field, Solver solver,
                         int steps) {
  const double size = 1.0 / steps;
  auto state = start;
  for (int step = 0; step < steps; ++step) {
    const double time = step * size;
    auto velocity = field(state, time);
    if (solver == Solver::midpoint)
      velocity = field(state + velocity * (size / 2), time + size / 2);
    state = state + velocity * size;
  }
  return state;
}

}  // namespace seda::model
