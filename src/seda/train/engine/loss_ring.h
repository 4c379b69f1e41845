// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <torch/torch.h>

#include "seda/train/engine/row_ring.h"
#include "seda/train/step_losses.h"

namespace seda::train {

/// Numbers that a step leaves on the device, in this order.
enum class LossColumn : int64_t { total, prior, duration, flow, gradient_norm, latched };
inline constexpr int64_t kLossColumns = 6;

/// Losses of steps on their way to the host.
class LossRing {
 public:
  explicit LossRing(device::StreamView stream) : rows_(stream, kLossColumns) {}

  /// Enqueues a copy of `row`.  // [kLossColumns] fp32
  void push(const torch::Tensor& row) { rows_.push(row); }

  /// Whether `take` would not wait.
  bool ready(size_t pending) const { return rows_.ready(pending); }

  /// What was pushed since the last call, in order, but for the newest `pending`; waits for it.
  std::vector<StepLosses> take(size_t pending);

 private:
  RowRing rows_;
};

/// From a row on the host.
StepLosses losses_of(const float* row);

}  // namespace seda::train
