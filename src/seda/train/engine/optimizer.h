// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "seda/train/engine/flat_parameters.h"
#include "seda/train/optimizer_options.h"

namespace seda::train {

/// AdamW on flat weights, with the clipping before it and the average after it.
///
/// Never waits for the device. Holds the latch: once a loss or a gradient's norm was not finite, no
/// update changes anything any more.
class Optimizer {
 public:
  /// `fused`: AdamW in one kernel; with `whole` all of the update in three of our own, on a GPU.
  Optimizer(FlatParameters& parameters, const OptimizerOptions& options, bool fused,
            bool whole = true);

  /// For the updates enqueued from now on.
  void set_lr(double lr);

  /// Latches where `value`, a scalar, is not finite.
  void watch(const torch::Tensor& value);

  /// Updates the weights from the gradient, which is the sum over the accumulated batches, and
  /// renews the average. Returns the norm of their mean, before clipping.  // [] fp32
  /// What is left in the gradient means nothing, but is zero where batches are accumulated.
  torch::Tensor update();

  /// One when latched, else zero.  // [] fp32
  torch::Tensor& latch() noexcept { return latch_; }

 private:
  void update_group(int64_t begin, int64_t end, double weight_decay, const torch::Tensor& scale);
  void update_average();

  FlatParameters& parameters_;
  OptimizerOptions options_;
  bool fused_ = true;
  bool whole_ = false;  // the update is one call of kernels
  torch::Tensor latch_;
  torch::Tensor lr_;  // []
};

}  // namespace seda::train
