// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/feed_plan.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "seda/base/error.h"

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
  out.frame_budget = options.batch_frames;
  out.ranks = options.order.ranks;
  return out;
}

std::vector<std::string> shape_names(std::span<const Bucket> buckets, bool with_clips) {
  std::vector<std::string> out;
  for (const Bucket& bucket : buckets) {
    const std::string shape = fmt::format("{}x{}", bucket.tokens, bucket.frames);
    out.push_back(with_clips ? fmt::format("{} of {}", bucket.batch_size, shape) : shape);
  }
  return out;
}

/// "shapes (clips of text x mel): 20 of 88x400, 10 of 160x800"
std::string shapes_line(std::span<const Bucket> buckets, const FeedOptions& options) {
  const bool by_frames = options.batch_frames > 0;
  return fmt::format("shapes ({}text x mel): {}", by_frames ? "clips of " : "",
                     fmt::join(shape_names(buckets, by_frames), by_frames ? ", " : " "));
}

/// How many clips a budget makes of a batch, and where it is less than one clip.
std::string budget_line(const FeedPlan& plan, const FeedOptions& options) {
  std::string out =
      fmt::format("batches: {:.1f} clips in the mean, {} in the largest, for a budget of {} frames",
                  mean_batch(plan.lengths.clips, plan.buckets), largest_batch(plan.buckets),
                  options.batch_frames);
  const auto over = std::ranges::count_if(
      plan.buckets, [&](const Bucket& bucket) { return bucket.frames > options.batch_frames; });
  if (over > 0) {
    out += fmt::format("; {} of {} shapes are longer than it: batches of one clip there", over,
                       plan.buckets.size());
  }
  return out;
}

}  // namespace

FeedPlan plan_feed(std::span<const ClipRow> rows, const audio::MelOptions& mel,
                   const FeedOptions& options) {
  if (options.batch_frames > 0 && !options.fixed_shapes) {
    throw_error(ErrorKind::internal, "expected fixed shapes for batches of {} frames, found none",
                options.batch_frames);
  }
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
    shapes = shapes_line(plan.buckets, options);
  }
  std::vector<std::string> lines = {
      clips, fmt::format("{}; {:.1f} % of frames are padding ({:.1f} % in one shape, {:.1f} % "
                         "with shapes by batch)",
                         shapes, 100 * padded, 100 * plan.padding.one_shape.frames,
                         100 * plan.padding.by_batch.frames)};
  if (options.batch_frames > 0) lines.push_back(budget_line(plan, options));
  return lines;
}

Sampler make_sampler(const FeedPlan& plan, const FeedOptions& options) {
  Sampler sampler(plan.lengths.clips, plan.buckets, options.order);
  sampler.seek(options.start);
  return sampler;
}

Hash128 order_digest(const FeedPlan& plan, const ClipSource& source, int ranks) {
  Hasher hasher;
  for (const Bucket& bucket : plan.buckets)
    hasher.add(fmt::format("{}\n", bucket.batch_size * ranks));
  for (const ClipLength& clip : plan.lengths.clips)
    hasher.add(fmt::format("{} {}\n", bucket_of(clip, plan.buckets), source.id(clip.row)));
  return hasher.digest();
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
