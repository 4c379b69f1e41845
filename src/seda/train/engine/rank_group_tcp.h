// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "seda/train/engine/ordered_worker.h"
#include "seda/train/engine/rank_group.h"
#include "seda/train/engine/rendezvous.h"

namespace seda::train {

/// Ranks that sum through rank 0, over TCP, in the order of their numbers: the same sum on every
/// rank and in every run.
///
/// For the CPU, and for the few numbers that GPUs exchange by the host. A thread of its own does
/// what `start_sum` begins.
class TcpRankGroup final : public RankGroup {
 public:
  explicit TcpRankGroup(const Ranks& ranks);

  void start_sum(const torch::Tensor& tensor) override;
  void finish() override { worker_.wait(); }
  std::vector<double> largest(std::span<const double> values) override;
  void check() override;

 private:
  template <typename Number, typename Join>
  void exchange(std::span<Number> values, Join join);

  Ranks ranks_;
  std::chrono::seconds timeout_;
  Meeting meeting_;
  uint64_t exchanges_ = 0;  // so far: all ranks must agree on it
  OrderedWorker worker_;
};

}  // namespace seda::train
