// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/optimizer.h"

#include "seda/train/engine/adamw.h"
#include "seda/train/engine/fused_update.h"

namespace seda::train {
namespace {

/// The kernels of a whole update are for GPUs, and for models that compute in fp32 or bf16.
bool has_fused_update(const FlatParameters& parameters) {
  const torch::ScalarType type = parameters.compute_type();
  return parameters.compute().is_cuda() && (type == torch::kFloat32 || type == torch::kBFloat16);
}

}  // namespace

Optimizer::Optimizer(FlatParameters& parameters, const OptimizerOptions& options, bool fused,
                     bool whole)
    : parameters_(parameters),
      options_(options),
      fused_(fused),
      whole_(whole && fused && has_fused_update(parameters)),
      latch_(torch::zeros_like(parameters.state().steps)),
      lr_(torch::zeros_like(parameters.state().steps)) {}

void Optimizer::set_lr(double lr) {
  lr_.fill_(lr);
}

void Optimizer::watch(const torch::Tensor& value) {
  latch_.copy_(torch::maximum(latch_, 1 - torch::isfinite(value).to(torch::kFloat32)));
}

torch::Tensor Optimizer::update() {
  const FlatState& state = parameters_.state();
  if (whole_) {
    return fused_update({.state = state,
                         .compute = parameters_.compute(),
                         .decaying = parameters_.layout().decaying(),
                         .lr = lr_,
                         .latch = latch_},
                        options_);
  }
  const auto norm = torch::linalg_vector_norm(state.gradient) / options_.accumulation;
  watch(norm);
  auto scale = torch::full_like(norm, options_.accumulation);
  if (options_.clip_norm) scale = scale * (norm / *options_.clip_norm).clamp_min(1);
  state.steps.add_(1 - latch_);
  update_group(0, parameters_.layout().decaying(), options_.weight_decay, scale);
  update_group(parameters_.layout().decaying(), parameters_.layout().size(), 0, scale);
  update_average();
  parameters_.publish();
  if (options_.accumulation > 1) state.gradient.zero_();
  return norm;
}

void Optimizer::update_group(int64_t begin, int64_t end, double weight_decay,
                             const torch::Tensor& scale) {
  if (begin == end) return;
  const FlatState& state = parameters_.state();
  const AdamwTensors tensors{.weights = state.weights.slice(0, begin, end),
                             .gradient = state.gradient.slice(0, begin, end),
                             .exp_avg = state.exp_avg.slice(0, begin, end),
                             .exp_avg_sq = state.exp_avg_sq.slice(0, begin, end),
                             .steps = state.steps,
                             .lr = lr_,
                             .gradient_scale = scale,
                             .skip = latch_};
  const AdamwNumbers numbers{.beta1 = options_.beta1,
                             .beta2 = options_.beta2,
                             .epsilon = options_.epsilon,
                             .weight_decay = weight_decay};
  fused_ ? adamw_fused(tensors, numbers) : adamw_plain(tensors, numbers);
}

void Optimizer::update_average() {
  const FlatState& state = parameters_.state();
  // The first updates count for more: (1 + n) / (10 + n) after n of them.
  const auto decay = (state.steps / (state.steps + 9)).clamp_max(options_.average_decay);
  state.average.lerp_(state.weights, (1 - decay) * (1 - latch_));
}

}  // namespace seda::train
