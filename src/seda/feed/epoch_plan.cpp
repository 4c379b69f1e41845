// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/epoch_plan.h"

#include <algorithm>
#include <numeric>

#include "seda/base/error.h"
#include "seda/base/random.h"

namespace seda::feed {
namespace {

void check(std::span<const Bucket> buckets) {
  for (const Bucket& bucket : buckets) {
    if (bucket.batch_size >= 1) continue;
    throw_error(ErrorKind::internal, "expected batches of at least 1, found {}", bucket.batch_size);
  }
  const auto descends = [](const Bucket& a, const Bucket& b) {
    return b.frames < a.frames || b.tokens < a.tokens;
  };
  if (std::ranges::adjacent_find(buckets, descends) != buckets.end())
    throw_error(ErrorKind::internal, "expected buckets that ascend in tokens and frames");
}

size_t place(const ClipLength& length, std::span<const Bucket> buckets) {
  const int found = bucket_of(length, buckets);
  if (found >= 0) return static_cast<size_t>(found);
  throw_error(ErrorKind::internal,
              "row {}: expected a bucket for {} tokens and {} frames, found none", length.row,
              length.tokens, length.frames);
}

/// Puts together the batches of one epoch, bucket by bucket from the shortest.
class Planner {
 public:
  Planner(const ClipGroups& groups, const SamplerOptions& options, uint64_t epoch)
      : options_(options), key_(Random(options.seed, epoch)()) {
    plan_.clips.reserve(groups.clips());
  }

  /// Adds the clips of the next bucket and takes out its whole batches.
  void add_bucket(std::span<const uint32_t> own, const Bucket& bucket) {
    plan_.carried += pool_.size();
    pool_.insert(pool_.end(), own.begin(), own.end());
    shuffle(std::span(pool_), ++bucket_);
    batch_ = static_cast<size_t>(bucket.batch_size) * static_cast<size_t>(options_.ranks);
    const size_t whole = pool_.size() / batch_ * batch_;
    for (size_t first = 0; first < whole; first += batch_)
      add_batch(plan_.clips.size() + first, 0);
    const auto end = pool_.begin() + static_cast<ptrdiff_t>(whole);
    plan_.clips.insert(plan_.clips.end(), pool_.begin(), end);
    pool_.erase(pool_.begin(), end);
  }

  EpochPlan finish() {
    if (options_.drop_last) plan_.dropped = pool_.size();
    if (!options_.drop_last && !pool_.empty()) fill_last();
    shuffle(std::span(plan_.batches), 0);
    return std::move(plan_);
  }

 private:
  template <typename T>
  void shuffle(std::span<T> items, uint64_t stream) const {
    if (options_.shuffle) Random(key_, stream).shuffle(items);
  }

  void add_batch(size_t first, size_t repeats) {
    plan_.batches.push_back({static_cast<uint32_t>(bucket_ - 1), static_cast<uint32_t>(batch_),
                             static_cast<uint32_t>(repeats), first});
  }

  /// The clips left over, then those planned before them, from the last back.
  void fill_last() {
    std::vector<uint32_t>& clips = plan_.clips;
    const size_t first = clips.size();
    clips.insert(clips.end(), pool_.begin(), pool_.end());
    const size_t seen = clips.size();
    plan_.repeats = batch_ - pool_.size();
    size_t at = first;
    for (size_t i = 0; i < plan_.repeats; ++i) {
      at = (at == 0 ? seen : at) - 1;
      clips.push_back(clips[at]);
    }
    add_batch(first, plan_.repeats);
  }

  const SamplerOptions& options_;
  uint64_t key_;
  uint64_t bucket_ = 0;         // from 1
  size_t batch_ = 0;            // clips in a batch of all ranks
  std::vector<uint32_t> pool_;  // not in a batch yet
  EpochPlan plan_;
};

}  // namespace

ClipGroups::ClipGroups(std::span<const ClipLength> lengths, std::span<const Bucket> buckets)
    : clips_(lengths.size()), begin_(buckets.size() + 1) {
  check(buckets);
  std::vector<uint32_t> found(lengths.size());
  for (size_t i = 0; i < lengths.size(); ++i) {
    found[i] = static_cast<uint32_t>(place(lengths[i], buckets));
    ++begin_[found[i] + 1];
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  std::vector<size_t> next = begin_;
  for (size_t i = 0; i < lengths.size(); ++i)
    clips_[next[found[i]]++] = static_cast<uint32_t>(i);
}

EpochPlan plan_epoch(const ClipGroups& groups, std::span<const Bucket> buckets,
                     const SamplerOptions& options, uint64_t epoch) {
  Planner planner(groups, options, epoch);
  for (size_t i = 0; i < buckets.size(); ++i)
    planner.add_bucket(groups.of(i), buckets[i]);
  return planner.finish();
}

std::optional<uint32_t> replacement(std::span<const uint32_t> own, uint32_t bad, uint64_t seed,
                                    const BatchPosition& position, uint64_t attempt) {
  const auto found = std::ranges::lower_bound(own, bad);
  const bool among = found != own.end() && *found == bad;
  const uint64_t others = own.size() - (among ? 1 : 0);
  if (attempt >= others) return std::nullopt;
  // Streams from the top down, which no bucket of `plan_epoch` reaches.
  Random random(Random(Random(seed, position.epoch)(), ~position.batch)(), position.row);
  const uint64_t start = random.below(others);
  uint64_t step = 1 + random.below(others);
  while (std::gcd(step, others) != 1)
    step = 1 + random.below(others);
  const uint64_t index = (start + attempt * step) % others;
  const bool behind = among && index >= static_cast<uint64_t>(found - own.begin());
  return own[index + (behind ? 1 : 0)];
}

}  // namespace seda::feed
