// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <torch/torch.h>

#include "seda/device/stream.h"

namespace seda::train {

/// Rows of numbers on their way to the host: copied behind each step, read when someone asks.
///
/// Waits for the device when read, and after every 4096 rows that nobody asked about.
class RowRing {
 public:
  RowRing(device::StreamView stream, int64_t columns);

  int64_t columns() const noexcept { return columns_; }

  /// Enqueues a copy of `row`.  // [columns] fp32
  void push(const torch::Tensor& row);

  /// Whether `take` would not wait.
  bool ready(size_t pending) const;

  /// What was pushed since the last call, row after row, but for the newest `pending`; waits for
  /// it.  // [rows · columns]
  std::vector<float> take(size_t pending);

 private:
  void read(size_t pending);

  device::StreamView stream_;
  int64_t columns_;
  torch::Tensor rows_;                 // [capacity, columns] page-locked
  std::vector<device::Event> copied_;  // of each row that was ever used
  size_t pushed_ = 0;
  size_t read_ = 0;
  std::vector<float> values_;
};

}  // namespace seda::train
