// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/padding.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "seda/base/random.h"

namespace seda::feed {
namespace {

/// Adds up what is real and what there is room for.
class Sum {
 public:
  void add(const ClipLength& length, int tokens, int frames) {
    real_tokens_ += length.tokens;
    real_frames_ += length.frames;
    all_tokens_ += tokens;
    all_frames_ += frames;
  }

  Padding padding() const {
    return {share(real_frames_, all_frames_), share(real_tokens_, all_tokens_)};
  }

 private:
  static double share(double real, double all) { return all > 0 ? 1 - real / all : 0; }

  double real_tokens_ = 0;
  double real_frames_ = 0;
  double all_tokens_ = 0;
  double all_frames_ = 0;
};

void add_batch(std::span<const ClipLength> batch, Sum& sum) {
  const int tokens = std::ranges::max(batch, {}, &ClipLength::tokens).tokens;
  const int frames = std::ranges::max(batch, {}, &ClipLength::frames).frames;
  for (const ClipLength& length : batch)
    sum.add(length, tokens, frames);
}

}  // namespace

Padding padding_in_one_shape(std::span<const ClipLength> lengths, int tokens, int frames) {
  Sum sum;
  for (const ClipLength& length : lengths)
    sum.add(length, tokens, frames);
  return sum.padding();
}

Padding padding_by_batch(std::span<const ClipLength> lengths, int batch_size) {
  std::vector<ClipLength> order(lengths.begin(), lengths.end());
  Random(0).shuffle(std::span(order));
  Sum sum;
  std::span<const ClipLength> left = order;
  while (!left.empty()) {
    const size_t size = std::min(left.size(), static_cast<size_t>(batch_size));
    add_batch(left.first(size), sum);
    left = left.subspan(size);
  }
  return sum.padding();
}

Padding padding_in_buckets(std::span<const ClipLength> lengths, std::span<const Bucket> buckets) {
  Sum sum;
  for (const ClipLength& length : lengths) {
    const int found = bucket_of(length, buckets);
    if (found < 0) continue;
    const Bucket& bucket = buckets[static_cast<size_t>(found)];
    sum.add(length, bucket.tokens, bucket.frames);
  }
  return sum.padding();
}

PaddingReport report_padding(std::span<const ClipLength> lengths, std::span<const Bucket> buckets,
                             const BucketOptions& options) {
  const int clips = std::max(1, static_cast<int>(std::lround(mean_batch(lengths, buckets))));
  return {padding_in_one_shape(lengths, options.max_tokens, options.max_frames),
          padding_by_batch(lengths, clips), padding_in_buckets(lengths, buckets)};
}

}  // namespace seda::feed
