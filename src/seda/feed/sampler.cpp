// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/sampler.h"

#include <algorithm>
#include <utility>

#include "seda/base/error.h"

namespace seda::feed {
namespace {

void check(const SamplerOptions& options) {
  if (options.rank >= 0 && options.rank < options.ranks) return;
  throw_error(ErrorKind::internal, "expected a rank from 0 to {}, found {}", options.ranks - 1,
              options.rank);
}

void require_batches(const EpochPlan& plan, int ranks) {
  if (!plan.batches.empty()) return;
  throw_error(ErrorKind::check_failed,
              "expected clips for at least one batch, found {} for {} rank(s); lower "
              "data.batch_size (or data.batch_frames) or keep the last batch",
              plan.dropped, ranks);
}

}  // namespace

Sampler::Sampler(std::span<const ClipLength> lengths, std::vector<Bucket> buckets,
                 const SamplerOptions& options)
    : buckets_(std::move(buckets)), options_(options), groups_(lengths, buckets_) {
  check(options_);
  require_clips(lengths);
  plan_ = plan_epoch(groups_, buckets_, options_, 0);
  require_batches(plan_, options_.ranks);
  rows_.reserve(static_cast<size_t>(largest_batch(buckets_)));
}

std::optional<BatchPlan> Sampler::next() {
  if (state_.batch == plan_.batches.size()) {
    seek({state_.epoch + 1, 0});
    return std::nullopt;
  }
  const BatchPlan batch = take(plan_.batches[state_.batch]);
  ++state_.batch;
  return batch;
}

BatchPlan Sampler::take(const GlobalBatch& batch) {
  const auto clips = plan_.clips_of(batch);
  const auto ranks = static_cast<size_t>(options_.ranks);
  size_t repeats = 0;
  rows_.clear();
  for (auto row = static_cast<size_t>(options_.rank); row < clips.size(); row += ranks) {
    rows_.push_back(clips[row]);
    if (row + batch.repeats >= clips.size()) ++repeats;
  }
  const uint64_t step = state_.epoch * plan_.batches.size() + state_.batch;
  return {batch.bucket, rows_, repeats, state_.epoch, state_.batch, step};
}

void Sampler::seek(const SamplerState& state) {
  if (state.batch > plan_.batches.size()) {
    throw_error(
        ErrorKind::check_failed,
        "expected at most {} batches in an epoch, found position {}; the corpus, the size of "
        "batches or the buckets are not those of the checkpoint: restore them, or start "
        "anew",
        plan_.batches.size(), state.batch);
  }
  if (state.epoch != state_.epoch) plan_ = plan_epoch(groups_, buckets_, options_, state.epoch);
  state_ = state;
}

std::optional<uint32_t> Sampler::replacement(const BatchPlan& batch, size_t row,
                                             uint64_t attempt) const {
  const size_t global_row =
      static_cast<size_t>(options_.rank) + row * static_cast<size_t>(options_.ranks);
  return feed::replacement(groups_.of(batch.bucket), batch.clips[row], options_.seed,
                           {batch.epoch, batch.batch, global_row}, attempt);
}

}  // namespace seda::feed
