// SPDX-License-Identifier: Apache-2.0
#include "seda/model/residual.h"

#include <utility>

#include "seda/model/detail/sum_and_norm.h"
#include "seda/model/time_conv.h"

namespace seda::model {
namespace {

/// Now, and when the gradient of `branch` is made.
void heed_twice(const torch::Tensor& branch, const std::function<void()>& heed) {
  heed();
  if (branch.requires_grad()) branch.register_hook([&heed](const torch::Tensor&) { heed(); });
}

}  // namespace

Residual::Residual(torch::Tensor value, const Sequence& sequence)
    : sequence_(sequence), value_(std::move(value)) {}

void Residual::add(const torch::Tensor& branch, const DropoutOptions& dropout,
                   const torch::Tensor& gate) {
  value();
  if (sequence_.heed != nullptr) heed_twice(branch, *sequence_.heed);
  branch_ = branch;
  dropout_ = dropout;
  gate_ = gate;
}

const torch::Tensor& Residual::value() {
  if (!branch_.defined()) return value_;
  const auto kept = dropout(branch_, dropout_, sequence_.noise);
  value_ = gate_.defined() ? torch::addcmul(value_, kept, gate_) : value_ + kept;
  branch_.reset();
  gate_.reset();
  return value_;
}

torch::Tensor Residual::fused_norm(const NormScale& scale, const torch::Tensor& lengths) {
  const auto found = detail::sum_and_norm({.x = value_,
                                           .branch = branch_,
                                           .gate = gate_,
                                           .dropout = dropout_,
                                           .noise = sequence_.noise,
                                           .scale = scale,
                                           .lengths = lengths});
  value_ = found.sum;
  branch_.reset();
  gate_.reset();
  return found.out;
}

torch::Tensor Residual::norm(const NormScale& scale) {
  if (takes_fused(value_, sequence_)) return fused_norm(scale, {});
  return plain_norm(value(), scale);
}

torch::Tensor Residual::norm_of_three(const NormScale& scale) {
  if (takes_fused(value_, sequence_)) return fused_norm(scale, sequence_.lengths);
  return real_neighbours(plain_norm(value(), scale), 3, sequence_);
}

}  // namespace seda::model
