// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <torch/torch.h>

#include "seda/device/stream.h"
#include "seda/train/engine.h"

namespace seda::train {

/// Numbers that a step leaves on the device, in this order.
enum class LossColumn : int64_t { total, prior, duration, flow, gradient_norm, latched };
inline constexpr int64_t kLossColumns = 6;

/// Losses of steps on their way to the host: copied behind each step, read when someone asks.
///
/// Waits for the device when read, and after every 4096 steps that nobody asked about.
class LossRing {
 public:
  explicit LossRing(device::StreamView stream);

  /// Enqueues a copy of `row`.  // [kLossColumns] fp32
  void push(const torch::Tensor& row);

  /// Whether `take` would not wait.
  bool ready(size_t pending) const;

  /// What was pushed since the last call, in order, but for the newest `pending`; waits for it.
  std::vector<StepLosses> take(size_t pending);

 private:
  void read(size_t pending);

  device::StreamView stream_;
  torch::Tensor rows_;                 // [capacity, kLossColumns] page-locked
  std::vector<device::Event> copied_;  // of each row that was ever used
  size_t pushed_ = 0;
  size_t read_ = 0;
  std::vector<StepLosses> losses_;
};

/// From a row on the host.
StepLosses losses_of(const float* row);

}  // namespace seda::train
