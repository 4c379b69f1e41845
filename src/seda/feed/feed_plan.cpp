// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/feed_plan.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::vector<std::string> shape_names(std::span<const Bucket> buckets) {
  std::vector<std::string> out;
  for (const Bucket& bucket : buckets)
    out.push_back(fmt::format("{}x{}", bucket.tokens, bucket.frames));
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

std::vector<std::string> describe(const FeedPlan& plan, const FeedOptions& options) {
  const LengthReport& report = plan.lengths.report;
  const size_t rows =
      report.clips + report.skipped_text + report.skipped_mel + report.unusable + report.silent;
  std::string clips = fmt::format("clips: {} of {} are fed", report.clips, rows);
  const auto add = [&](size_t count, const std::string& what) {
    if (count > 0) clips += fmt::format(", {} {}", count, what);
  };
  const std::string text = fmt::format("(over {} tokens)", options.limits.max_symbols);
  const std::string mel = fmt::format("(over {} frames)", options.limits.max_frames);
  add(report.skipped_text, "skipped for their text " + text);
  add(report.skipped_mel, "skipped for their sound " + mel);
  add(report.cut_text, "with their text cut " + text);
  add(report.cut_mel, "with their sound cut " + mel);
  add(report.unusable, "without usable sound");
  add(report.silent, "with nothing to speak");
  std::string shapes = "shapes: each batch its own";
  double padded = plan.padding.by_batch.frames;
  if (options.fixed_shapes) {
    padded = plan.padding.buckets.frames;
    shapes = fmt::format("shapes (text x mel): {}", fmt::join(shape_names(plan.buckets), " "));
  }
  return {clips, fmt::format("{}; {:.1f} % of frames are padding ({:.1f} % in one shape, {:.1f} % "
                             "with shapes by batch)",
                             shapes, 100 * padded, 100 * plan.padding.one_shape.frames,
                             100 * plan.padding.by_batch.frames)};
}

Sampler make_sampler(const FeedPlan& plan, const FeedOptions& options) {
  Sampler sampler(plan.lengths.clips, plan.buckets, options.order);
  sampler.seek(options.start);
  return sampler;
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
