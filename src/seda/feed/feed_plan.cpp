// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/feed_plan.h"

#include <algorithm>

namespace seda::feed {
namespace {

/// Takes in what is longer in either way.
void extend(Bucket& shape, const ClipLength& length) {
  shape.tokens = std::max(shape.tokens, length.tokens);
  shape.frames = std::max(shape.frames, length.frames);
}

Bucket longest(std::span<const ClipLength> lengths, int batch_size) {
  Bucket shape{0, 0, batch_size};
  for (const ClipLength& length : lengths)
    extend(shape, length);
  return shape;
}

/// The clips of both splits: `fed`, and those of the other.
std::vector<ClipLength> all_lengths(std::span<const ClipRow> rows, const audio::MelOptions& mel,
                                    const FeedOptions& options, const ClipLengths& fed) {
  const auto other =
      options.split == dataset::Split::train ? dataset::Split::validation : dataset::Split::train;
  std::vector<ClipLength> all = clip_lengths(rows, other, mel, options.limits).clips;
  all.insert(all.end(), fed.clips.begin(), fed.clips.end());
  return all;
}

bool has_blanks(std::span<const ClipRow> rows) {
  return std::ranges::any_of(
      rows, [](const ClipRow& row) { return row.symbols > 0 && row.tokens > row.symbols; });
}

BucketOptions bucket_options(std::span<const ClipRow> rows, const FeedOptions& options,
                             const Bucket& longest) {
  BucketOptions out;
  out.num_buckets = options.num_buckets;
  out.max_tokens =
      std::max(longest.tokens, tokens_of(options.limits.max_symbols, has_blanks(rows)));
  out.max_frames = options.limits.max_frames;
  out.batch_size = options.batch_size;
  out.ranks = options.order.ranks;
  return out;
}

}  // namespace

FeedPlan plan_feed(std::span<const ClipRow> rows, const audio::MelOptions& mel,
                   const FeedOptions& options) {
  FeedPlan plan;
  plan.lengths = clip_lengths(rows, options.split, mel, options.limits);
  require_clips(plan.lengths.clips);
  const std::vector<ClipLength> all = all_lengths(rows, mel, options, plan.lengths);
  const Bucket whole = longest(all, options.batch_size);
  const BucketOptions how = bucket_options(rows, options, whole);
  plan.buckets = options.fixed_shapes ? choose_buckets(all, how) : std::vector<Bucket>{whole};
  plan.padding = report_padding(plan.lengths.clips, plan.buckets, how);
  return plan;
}

BatchShape shape_of(const BatchPlan& batch, const FeedPlan& plan, bool fixed_shapes, int n_mels) {
  Bucket shape = plan.buckets[batch.bucket];
  if (!fixed_shapes) {
    shape.tokens = shape.frames = 0;
    for (const uint32_t clip : batch.clips)
      extend(shape, plan.lengths.clips[clip]);
  }
  return {static_cast<int>(batch.clips.size()), shape.tokens, shape.frames, n_mels};
}

}  // namespace seda::feed
