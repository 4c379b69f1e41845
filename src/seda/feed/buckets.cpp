// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/buckets.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "seda/base/error.h"
#include "seda/feed/bucket_texts.h"
#include "seda/feed/padding.h"

namespace seda::feed {
namespace {

constexpr int kMostLevels = 512;
constexpr double kImpossible = std::numeric_limits<double>::infinity();

int round_up(int value, int multiple, int limit) {
  const int64_t rounded = (int64_t{value} + multiple - 1) / multiple * multiple;
  return static_cast<int>(std::min<int64_t>(rounded, limit));
}

/// Where a bucket may end: the clips up to it, and the shape it then has.
struct Level {
  int tokens = 0;
  int frames = 0;
  size_t clips = 0;  // with all levels below
};

int batch_size_of(int frames, const BucketOptions& options) {
  if (options.frame_budget == 0) return options.batch_size;
  return std::clamp(options.frame_budget / frames, 1, kMostClips);
}

void check(const BucketOptions& options) {
  const int least = std::min({options.max_tokens, options.max_frames, options.batch_size,
                              options.ranks, options.frame_multiple, options.token_multiple});
  if (least < 1 || options.num_buckets < 0 || options.frame_budget < 0)
    throw_error(ErrorKind::internal, "expected options of buckets of at least 1, found {}", least);
}

void check(const ClipLength& length, const BucketOptions& options) {
  const bool fits = length.frames <= options.max_frames && length.tokens <= options.max_tokens;
  if (fits && length.frames > 0 && length.tokens > 0) return;
  throw_error(ErrorKind::internal,
              "row {}: expected 1 to {} tokens and 1 to {} frames, found {} and {}", length.row,
              options.max_tokens, options.max_frames, length.tokens, length.frames);
}

/// How many frames apart buckets may end.
int step_of(int longest, const BucketOptions& options) {
  const int64_t finest = int64_t{options.frame_multiple} * kMostLevels;
  return static_cast<int>(options.frame_multiple * ((longest + finest - 1) / finest));
}

/// The longest clip and the number of clips in each step of frames.
std::vector<Level> count_steps(std::span<const ClipLength> lengths, const BucketOptions& options) {
  const int longest = std::ranges::max(lengths, {}, &ClipLength::frames).frames;
  const int step = step_of(longest, options);
  std::vector<Level> steps(static_cast<size_t>((longest - 1) / step + 1));
  for (const ClipLength& length : lengths) {
    Level& level = steps[static_cast<size_t>((length.frames - 1) / step)];
    level.tokens = std::max(level.tokens, length.tokens);
    level.frames = std::max(level.frames, length.frames);
    ++level.clips;
  }
  return steps;
}

std::vector<Level> find_levels(std::span<const ClipLength> lengths, const BucketOptions& options) {
  std::vector<Level> levels(1);  // the first has no clip
  for (const Level& step : count_steps(lengths, options)) {
    if (step.clips == 0) continue;
    const Level& below = levels.back();
    const int tokens = round_up(step.tokens, options.token_multiple, options.max_tokens);
    levels.push_back({std::max(below.tokens, tokens),
                      round_up(step.frames, options.frame_multiple, options.max_frames),
                      below.clips + step.clips});
  }
  return levels;
}

/// Dynamic programming over the levels: the room that the clips up to a level take in so many
/// buckets, at the least, and where the last of them begins.
class Division {
 public:
  Division(std::vector<Level> levels, const BucketOptions& options)
      : levels_(std::move(levels)), options_(options), room_(levels_.size(), kImpossible) {
    room_[0] = 0;
  }

  /// Allows one bucket more. Returns the room of all clips, infinite where there is no such
  /// division.
  double add_bucket() {
    std::vector<double> room(levels_.size(), kImpossible);
    std::vector<size_t>& begin = begin_.emplace_back(levels_.size(), 0);
    for (size_t end = 1; end < levels_.size(); ++end)
      find_begin(end, room[end], begin[end]);
    room_ = std::move(room);
    return room_.back();
  }

  /// The levels at which so many buckets end.
  std::vector<Level> ends(size_t buckets) const {
    std::vector<Level> out(buckets);
    size_t end = levels_.size() - 1;
    for (size_t i = buckets; i-- > 0; end = begin_[i][end])
      out[i] = levels_[end];
    return out;
  }

 private:
  void find_begin(size_t end, double& room, size_t& begin) const {
    const Level& level = levels_[end];
    const double size = level.frames + options_.token_weight * level.tokens;
    const size_t batch = static_cast<size_t>(batch_size_of(level.frames, options_)) *
                         static_cast<size_t>(options_.ranks);
    const bool alone = begin_.size() == 1 && end + 1 == levels_.size();
    for (size_t i = 0; i < end; ++i) {
      const size_t clips = level.clips - levels_[i].clips;
      if (clips < batch && !alone) break;
      const double found = room_[i] + static_cast<double>(clips) * size;
      if (found >= room) continue;
      room = found;
      begin = i;
    }
  }

  std::vector<Level> levels_;
  const BucketOptions& options_;
  std::vector<double> room_;
  std::vector<std::vector<size_t>> begin_;  // [buckets, levels]
};

double padding_of(std::span<const Level> ends, double real_frames) {
  double all = 0;
  size_t below = 0;
  for (const Level& end : ends) {
    all += static_cast<double>(end.clips - below) * end.frames;
    below = end.clips;
  }
  return 1 - real_frames / all;
}

double sum_frames(std::span<const ClipLength> lengths) {
  double sum = 0;
  for (const ClipLength& length : lengths)
    sum += length.frames;
  return sum;
}

std::vector<Bucket> make_buckets(std::span<const ClipLength> lengths, std::span<const Level> ends,
                                 const BucketOptions& options) {
  std::vector<Bucket> buckets;
  for (const Level& end : ends)
    buckets.push_back({end.tokens, end.frames, batch_size_of(end.frames, options)});
  return shorten_texts(lengths, options, std::move(buckets));
}

/// The best of at most so many buckets, up to the first that `is_enough`.
template <typename IsEnough>
std::vector<Level> divide(Division division, size_t most, IsEnough is_enough) {
  std::vector<Level> best;
  double least = kImpossible;
  for (size_t count = 1; count <= most; ++count) {
    const double room = division.add_bucket();
    if (room >= least) continue;
    least = room;
    best = division.ends(count);
    if (is_enough(best)) break;
  }
  return best;
}

std::vector<Bucket> choose_number(std::span<const ClipLength> lengths, Division division,
                                  const BucketOptions& options) {
  const double real = sum_frames(lengths);
  const auto is_enough = [&](std::span<const Level> ends) {
    // Moving clips up for their texts pads frames: what is too much before is so after.
    return padding_of(ends, real) <= kAimedPadding &&
           padding_in_buckets(lengths, make_buckets(lengths, ends, options)).frames <=
               kAimedPadding;
  };
  return make_buckets(lengths, divide(std::move(division), kMostBuckets, is_enough), options);
}

}  // namespace

std::vector<Bucket> choose_buckets(std::span<const ClipLength> lengths,
                                   const BucketOptions& options) {
  check(options);
  require_clips(lengths);
  for (const ClipLength& length : lengths)
    check(length, options);
  if (options.num_buckets == 1) {
    return {{options.max_tokens, options.max_frames, batch_size_of(options.max_frames, options)}};
  }
  Division division(find_levels(lengths, options), options);
  if (options.num_buckets == 0) return choose_number(lengths, std::move(division), options);
  const auto never = [](std::span<const Level>) { return false; };
  const auto most = static_cast<size_t>(options.num_buckets);
  return make_buckets(lengths, divide(std::move(division), most, never), options);
}

int largest_batch(std::span<const Bucket> buckets) {
  int largest = 0;
  for (const Bucket& bucket : buckets)
    largest = std::max(largest, bucket.batch_size);
  return largest;
}

double mean_batch(std::span<const ClipLength> lengths, std::span<const Bucket> buckets) {
  double clips = 0;
  double batches = 0;
  for (const ClipLength& length : lengths) {
    const int found = bucket_of(length, buckets);
    if (found < 0) continue;
    clips += 1;
    batches += 1.0 / buckets[static_cast<size_t>(found)].batch_size;
  }
  return batches > 0 ? clips / batches : 0;
}

int bucket_of(const ClipLength& length, std::span<const Bucket> buckets) {
  const auto fits = [&](const Bucket& bucket) {
    return bucket.frames >= length.frames && bucket.tokens >= length.tokens;
  };
  const auto found = std::ranges::find_if(buckets, fits);
  return found == buckets.end() ? -1 : static_cast<int>(found - buckets.begin());
}

}  // namespace seda::feed
