// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <torch/torch.h>

#include "seda/device/stream.h"
#include "seda/train/ranks.h"

namespace seda::train {

/// The processes that train one model together.
///
/// Every rank makes the same calls in the same order. A rank that is gone, or silent for longer
/// than `rank_timeout`, is an Error(unavailable) that names it, from whatever call waits for it.
class RankGroup {
 public:
  virtual ~RankGroup() = default;

  /// Begins to sum a contiguous fp32 tensor over all ranks, in place, while other work goes on; not
  /// to be touched before `finish`. May be called from any thread, one at a time.
  virtual void start_sum(const torch::Tensor& tensor) = 0;

  /// What was begun is done: for the host on the CPU, for later work on the current stream on a
  /// GPU.
  virtual void finish() = 0;

  /// Largest of each value over all ranks. Waits for them.
  virtual std::vector<double> largest(std::span<const double> values) = 0;

  /// Error(unavailable) where a rank has gone. Never waits; after `finish`.
  virtual void check() = 0;
};

/// Sums at once.
void sum(RankGroup& group, const torch::Tensor& tensor);

/// Gives every rank the tensor of rank 0.
void share_from_first(RankGroup& group, const Ranks& ranks, const torch::Tensor& tensor);

/// Joins the ranks: over TCP on the CPU, with NCCL on GPUs.
std::unique_ptr<RankGroup> join_rank_group(const Ranks& ranks, device::Device device);

}  // namespace seda::train
