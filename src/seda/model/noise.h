// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <torch/torch.h>

#include "seda/model/detail/noise_task.h"

namespace seda::model {

/// What random numbers are drawn for.
enum class NoiseUse : uint32_t {
  start,
  time,
  drop_condition,
  use_reference,
  reference_place,
  dropout,
  crop
};

/// Random numbers without a state: a number depends on the seed, the batch that is learned from,
/// the use and its place (row of the batch of all ranks, element of the row), and on nothing else.
/// Philox4x32-10 with the seed as its key and (element / 4, row, batch, use and site) as its
/// counter, the batch's number without its upper half; Box–Muller makes pairs normal.
///
/// So a run that goes on draws what it would have drawn, 2 × 8 rows draw what 1 × 16 do, and the
/// CPU draws what a GPU does (to the rounding of log and cos). Works inside a CUDA graph: the
/// batch's number is a tensor on the device, read when the graph runs.
class Noise {
 public:
  /// `batch` is an int64 scalar on the device that numbers are wanted on. Row i of this rank is
  /// row `rank + i · ranks` of all. So many batches make an update.
  Noise(uint64_t seed, torch::Tensor batch, int rank = 0, int ranks = 1, int batches_an_update = 1);

  /// Standard normal, fp32.  // [batch, ...]
  torch::Tensor normal(torch::IntArrayRef shape, NoiseUse use, uint32_t site = 0) const;
  /// Even in [0, 1), fp32.  // [batch, ...]
  torch::Tensor uniform(torch::IntArrayRef shape, NoiseUse use, uint32_t site = 0) const;
  /// 1 / keep with probability keep, else 0: what dropout multiplies by, fp32.  // [batch, ...]
  torch::Tensor keep(torch::IntArrayRef shape, double keep, uint32_t site) const;
  /// The numbers of `keep` for a kernel that draws them where it needs them: a task without an
  /// array. It points to `batch`, which must live as long.
  detail::NoiseTask keep_task(double keep, uint32_t site) const;

  /// Numbers of the rows 0, 1, … on every rank: what all rows share.
  Noise common() const { return {seed_, batch_}; }
  /// Which rows of all ranks' batch the rows here are, int64.  // [rows]
  torch::Tensor rows(int64_t rows) const;
  /// The batch's number, where it lies.
  const torch::Tensor& batch() const noexcept { return batch_; }
  /// The update that the batch belongs to, on the same device.
  torch::Tensor update() const;

 private:
  detail::NoiseTask task_of(detail::NoiseKind kind, uint32_t place, double keep) const;
  torch::Tensor filled(torch::IntArrayRef shape, detail::NoiseKind kind, uint32_t place,
                       double keep) const;

  uint64_t seed_ = 0;
  torch::Tensor batch_;
  int rank_ = 0;
  int ranks_ = 1;
  int batches_an_update_ = 1;
};

}  // namespace seda::model
