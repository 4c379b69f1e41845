// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "seda/feed/buckets.h"
#include "seda/feed/sampler_options.h"

namespace seda::feed {

/// The clips of each bucket, by their places among the lengths, ascending.
class ClipGroups {
 public:
  /// Buckets that do not ascend in both sizes, a batch of none, or a clip that fits no bucket are
  /// an Error(internal).
  ClipGroups(std::span<const ClipLength> lengths, std::span<const Bucket> buckets);

  size_t buckets() const noexcept { return begin_.size() - 1; }
  size_t clips() const noexcept { return clips_.size(); }
  std::span<const uint32_t> of(size_t bucket) const {
    return std::span(clips_).subspan(begin_[bucket], begin_[bucket + 1] - begin_[bucket]);
  }

 private:
  std::vector<uint32_t> clips_;
  std::vector<size_t> begin_;  // of each bucket in clips_, and the end
};

/// A batch of all ranks together.
struct GlobalBatch {
  uint32_t bucket = 0;
  uint32_t size = 0;     ///< Always the bucket's batch size times the ranks.
  uint32_t repeats = 0;  ///< The last so many were already fed in this epoch.
  size_t first = 0;      ///< In EpochPlan::clips.

  bool operator==(const GlobalBatch&) const = default;
};

/// Every batch of one epoch, in the order of training.
struct EpochPlan {
  std::vector<uint32_t> clips;  ///< Places among the lengths.
  std::vector<GlobalBatch> batches;
  size_t carried = 0;  ///< Moved up a bucket to fill a batch; each move counts.
  size_t repeats = 0;
  size_t dropped = 0;

  std::span<const uint32_t> clips_of(const GlobalBatch& batch) const {
    return std::span(clips).subspan(batch.first, batch.size);
  }
  bool operator==(const EpochPlan&) const = default;
};

/// Plans an epoch: a pure function of its arguments, of `options.rank` not at all, and of the ranks
/// only through the size of a batch of all. A few milliseconds for a million clips.
///
/// Each bucket is shuffled and cut into whole batches. What is left over moves to the next bucket,
/// whose shape has room for it, and is shuffled with its clips. What is left of the last fills its
/// batch with clips repeated from the epoch (or is dropped): every clip is seen once, fewer than
/// one batch twice. Then the batches are shuffled. How many there are is the same in all epochs.
EpochPlan plan_epoch(const ClipGroups& groups, std::span<const Bucket> buckets,
                     const SamplerOptions& options, uint64_t epoch);

/// Where a clip stands in training.
struct BatchPosition {
  uint64_t epoch = 0;
  uint64_t batch = 0;  ///< Of the epoch.
  uint64_t row = 0;    ///< Of the batch of all ranks.
};

/// The clip of the bucket `own` that stands in for the bad clip `bad`: a pure function of the
/// arguments. Attempts 0, 1, … go through all other clips of the bucket, each once; then nothing.
std::optional<uint32_t> replacement(std::span<const uint32_t> own, uint32_t bad, uint64_t seed,
                                    const BatchPosition& position, uint64_t attempt);

}  // namespace seda::feed
