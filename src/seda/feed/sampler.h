// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "seda/feed/epoch_plan.h"

namespace seda::feed {

/// How far training is: all that a checkpoint keeps of the order.
struct SamplerState {
  uint64_t epoch = 0;
  uint64_t batch = 0;  ///< The next of the epoch; as many as it has: its end comes next.

  bool operator==(const SamplerState&) const = default;
};

/// What one rank feeds in one step.
struct BatchPlan {
  uint32_t bucket = 0;              ///< The same for all ranks.
  std::span<const uint32_t> clips;  ///< Places among the lengths; always the bucket's batch size.
  size_t repeats = 0;               ///< The last so many were already fed in this epoch.
  uint64_t epoch = 0;
  uint64_t batch = 0;  ///< Of the epoch.
  uint64_t step = 0;   ///< Since the first epoch.
};

/// Says which clips make which batch.
///
/// Row i of rank r is row r + i · ranks of the batch of all ranks, so 1 × 16 and 2 × 8 are the same
/// batches. Not thread-safe. Copies what it needs of the lengths.
class Sampler {
 public:
  /// No clip, or `drop_last` with too few for one batch, is an Error(check_failed). A rank that is
  /// none of the ranks is an Error(internal).
  Sampler(std::span<const ClipLength> lengths, std::vector<Bucket> buckets,
          const SamplerOptions& options);

  /// The next batch; nothing once at the end of each epoch, after which the next epoch begins. Its
  /// clips are valid until the next call of `next` or `seek`. Neither allocates nor searches but
  /// at the end of an epoch, where it plans the next.
  std::optional<BatchPlan> next();

  SamplerState state() const noexcept { return state_; }

  /// Goes on from `state`: what follows is what followed there. Costs one plan where the epoch is
  /// another. A batch that the epoch has not is an Error(check_failed).
  void seek(const SamplerState& state);

  /// The same in all epochs.
  size_t batches_per_epoch() const noexcept { return plan_.batches.size(); }

  /// Of the current epoch, for all ranks.
  const EpochPlan& plan() const noexcept { return plan_; }
  std::span<const Bucket> buckets() const noexcept { return buckets_; }

  /// The clip that stands in for row `row` of `batch`, which is bad; see feed::replacement.
  std::optional<uint32_t> replacement(const BatchPlan& batch, size_t row, uint64_t attempt) const;

 private:
  BatchPlan take(const GlobalBatch& batch);

  std::vector<Bucket> buckets_;
  SamplerOptions options_;
  ClipGroups groups_;
  EpochPlan plan_;
  SamplerState state_;
  std::vector<uint32_t> rows_;  // of this rank
};

}  // namespace seda::feed
