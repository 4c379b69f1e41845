// SPDX-License-Identifier: Apache-2.0
#include "seda/model/alignment.h"

#include <ATen/Context.h>

namespace seda::model {
namespace {

constexpr double kDiagonalWeight = 500;
constexpr double kDiagonalUpdates = 1000;

/// Middle of each place, as a share of the length.  // [batch, size]
torch::Tensor shares(const torch::Tensor& lengths, int64_t size) {
  const auto options = lengths.options().dtype(torch::kFloat32);
  const auto middles = torch::arange(size, options) + 0.5;
  return middles.unsqueeze(0) / lengths.clamp_min(1).unsqueeze(1);
}

}  // namespace

torch::Tensor log_likelihood(const torch::Tensor& mean, const torch::Tensor& mel) {
  const at::NoTF32Guard full_precision;
  const auto centre = mean.to(torch::kFloat32);
  const auto frames = mel.to(torch::kFloat32);
  const auto of_tokens = centre.square().sum(2).unsqueeze(2);  // [batch, tokens, 1]
  const auto of_frames = frames.square().sum(2).unsqueeze(1);  // [batch, 1, frames]
  return torch::baddbmm((of_tokens + of_frames) * -0.5, centre, frames.transpose(1, 2));
}

torch::Tensor diagonal_prior(const DiagonalInput& input) {
  const auto weight = (1 - input.update.to(torch::kFloat32) / kDiagonalUpdates).clamp_min(0);
  const auto of_tokens = shares(input.token_lengths, input.tokens).unsqueeze(2);
  const auto of_frames = shares(input.frame_lengths, input.frames).unsqueeze(1);
  return (of_tokens - of_frames).square() * (weight * -kDiagonalWeight);
}

torch::Tensor alignment_path(const torch::Tensor& durations, int64_t frames) {
  const auto ends = durations.to(torch::kInt64).cumsum(1);
  const auto begins = ends - durations;
  const auto places = torch::arange(frames, ends.options()).view({1, frames, 1});
  return (places >= begins.unsqueeze(1)).logical_and_(places < ends.unsqueeze(1));
}

torch::Tensor upsample(const torch::Tensor& states, const torch::Tensor& path) {
  return path.to(states.scalar_type()).bmm(states);
}

}  // namespace seda::model
