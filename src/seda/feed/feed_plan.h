// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "seda/audio/mel_options.h"
#include "seda/base/hash.h"
#include "seda/feed/batch.h"
#include "seda/feed/buckets.h"
#include "seda/feed/clip_lengths.h"
#include "seda/feed/clip_source.h"
#include "seda/feed/feed_options.h"
#include "seda/feed/listing.h"
#include "seda/feed/padding.h"
#include "seda/feed/sampler.h"

namespace seda::feed {

/// Which clips are fed, and in what shapes: the same for every loader.
struct FeedPlan {
  ClipLengths lengths;          ///< Of the split that is fed.
  std::vector<Bucket> buckets;  ///< One, of the longest lengths there are, without fixed shapes.
  PaddingReport padding;        ///< Of the split that is fed.
};

/// Buckets are chosen over the clips of training and validation together, so that both have the
/// same shapes. No clip in the split is an Error(check_failed).
FeedPlan plan_feed(std::span<const ClipRow> rows, const audio::MelOptions& mel,
                   const FeedOptions& options);

/// Lines for people: which clips are fed, skipped and cut, and in what shapes with how much
/// padding; with a budget of frames, how many clips it makes of a batch.
std::vector<std::string> describe(const FeedPlan& plan, const FeedOptions& options);

/// The order in which its clips are fed, from `options.start` on.
Sampler make_sampler(const FeedPlan& plan, const FeedOptions& options);

/// Stands for what the order is made of beside the numbers of `options.order`: which clips are fed,
/// by their ids, in which bucket each is, and how many the batches of all ranks hold. Reads all
/// ids.
Hash128 order_digest(const FeedPlan& plan, const ClipSource& source, int ranks);

/// The shape of a batch: its bucket's or, without fixed shapes, that of its own longest clips.
BatchShape shape_of(const BatchPlan& batch, const FeedPlan& plan, bool fixed_shapes, int n_mels);

}  // namespace seda::feed
