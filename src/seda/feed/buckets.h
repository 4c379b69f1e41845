// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "seda/feed/clip_lengths.h"

namespace seda::feed {

/// One fixed shape of a batch.
struct Bucket {
  int tokens = 0;
  int frames = 0;
  int batch_size = 0;  ///< Clips of it in a batch, for each rank.

  bool operator==(const Bucket&) const = default;
};

struct BucketOptions {
  int num_buckets = 0;   ///< At most so many; 0: chosen (`choose_buckets`).
  int max_tokens = 401;  ///< Blanks counted.
  int max_frames = 800;
  int batch_size = 16;     ///< For each rank.
  int frame_budget = 0;    ///< Where not 0, a batch holds as many clips as fit so many frames, for
                           ///< each rank, 1 to `kMostClips`; `batch_size` is then not looked at.
  int ranks = 1;           ///< Each bucket has clips for one batch of all of them.
  int frame_multiple = 8;  ///< Shapes are multiples of these, or the longest allowed.
  int token_multiple = 8;
  double token_weight = 0.1;  ///< What padding a token costs, where a frame costs 1.

  bool operator==(const BucketOptions&) const = default;
};

/// Clips that a batch of a frame budget has at the most: what `data.batch_size` may be.
constexpr int kMostClips = 4096;

/// Where the number is its own choice, `choose_buckets` takes the fewest that pad no more than this
/// share of all frames.
constexpr double kAimedPadding = 0.03;

/// Where the number is its own choice, `choose_buckets` takes no more than these, since each is a
/// graph of its own on the device.
constexpr int kMostBuckets = 16;

/// The shapes that pad least: frames, and tokens by their small weight.
///
/// Clips are divided by frames, by dynamic programming: exact for up to 512 sizes (4,096 frames in
/// steps of 8), in coarser steps for longer corpora. The text of a bucket is then as long as the
/// longest in it or below it, less what is better moved up (`shorten_texts`). So both sizes ascend,
/// and a clip of one bucket fits all that follow. Each bucket has the clips of a whole batch of all
/// ranks, unless it is alone. One bucket, where asked for, is the longest allowed. Linear in the
/// clips.
///
/// No clip is an Error(check_failed); one over the limits or an option below 1 is an
/// Error(internal). Give it every clip that will be fed, those of validation too: what is longer
/// than all that were given fits nowhere.
std::vector<Bucket> choose_buckets(std::span<const ClipLength> lengths,
                                   const BucketOptions& options);

/// Clips in the largest batch of any of them.
int largest_batch(std::span<const Bucket> buckets);

/// Clips in a batch, the mean over the batches that the clips fill; those that fit no bucket are
/// not counted.
double mean_batch(std::span<const ClipLength> lengths, std::span<const Bucket> buckets);

/// Index of the first bucket that has room for the clip; -1 where none has.
int bucket_of(const ClipLength& length, std::span<const Bucket> buckets);

}  // namespace seda::feed
