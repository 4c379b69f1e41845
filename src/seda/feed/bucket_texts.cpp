// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/bucket_texts.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace seda::feed {
namespace {

/// Clips by the multiple of tokens that holds their text.
using Counts = std::vector<size_t>;

/// Moves clips up from bucket to bucket, the first first.
class Shortening {
 public:
  Shortening(std::span<const ClipLength> lengths, const BucketOptions& options,
             std::vector<Bucket> buckets)
      : options_(options),
        buckets_(std::move(buckets)),
        counts_(buckets_.size(), Counts(level_of(options.max_tokens) + 1)) {
    for (const ClipLength& length : lengths) {
      const auto bucket = static_cast<size_t>(bucket_of(length, buckets_));
      ++counts_[bucket][level_of(length.tokens)];
    }
  }

  std::vector<Bucket> run() {
    for (size_t i = 0; i + 1 < buckets_.size(); ++i)
      shorten(i, best_level(i));
    return std::move(buckets_);
  }

 private:
  size_t level_of(int tokens) const {
    return static_cast<size_t>((tokens - 1) / options_.token_multiple);
  }
  int tokens_at(size_t level) const {
    const int tokens = (static_cast<int>(level) + 1) * options_.token_multiple;
    return std::min(tokens, options_.max_tokens);
  }

  /// Where the bucket's text should end: tried from the top, no lower than the bucket before.
  size_t best_level(size_t bucket) const {
    const Counts& counts = counts_[bucket];
    const Bucket& own = buckets_[bucket];
    const Bucket& next = buckets_[bucket + 1];
    const double up = next.frames - own.frames + options_.token_weight * next.tokens;
    const size_t batch = static_cast<size_t>(own.batch_size) * static_cast<size_t>(options_.ranks);
    const size_t lowest = bucket == 0 ? 0 : level_of(buckets_[bucket - 1].tokens);
    size_t best = level_of(own.tokens);
    size_t kept = std::accumulate(counts.begin(), counts.end(), size_t{0});
    size_t moved = 0;
    double least = static_cast<double>(kept) * options_.token_weight * own.tokens;
    for (size_t level = best; level-- > lowest;) {
      moved += counts[level + 1];
      kept -= counts[level + 1];
      if (moved > 0 && kept < batch) break;
      const double room = static_cast<double>(kept) * options_.token_weight * tokens_at(level) +
                          static_cast<double>(moved) * up;
      if (room >= least) continue;
      least = room;
      best = level;
    }
    return best;
  }

  void shorten(size_t bucket, size_t level) {
    Counts& counts = counts_[bucket];
    for (size_t i = level + 1; i < counts.size(); ++i)
      counts_[bucket + 1][i] += std::exchange(counts[i], 0);
    buckets_[bucket].tokens = tokens_at(level);
  }

  const BucketOptions& options_;
  std::vector<Bucket> buckets_;
  std::vector<Counts> counts_;  // of each bucket
};

}  // namespace

std::vector<Bucket> shorten_texts(std::span<const ClipLength> lengths, const BucketOptions& options,
                                  std::vector<Bucket> buckets) {
  return Shortening(lengths, options, std::move(buckets)).run();
}

}  // namespace seda::feed
