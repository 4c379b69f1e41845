// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "seda/feed/buckets.h"

namespace seda::feed {

/// Padded over all, in [0, 1).
struct Padding {
  double frames = 0;
  double tokens = 0;
};

/// What three ways of making batches would pad.
struct PaddingReport {
  Padding one_shape;  ///< Every clip to the longest allowed.
  Padding by_batch;   ///< Batches in random order, each to its own longest: no fixed shape.
  Padding buckets;    ///< Every clip to its bucket's shape.
};

Padding padding_in_one_shape(std::span<const ClipLength> lengths, int tokens, int frames);

/// Of batches drawn without regard to length; the same for the same clips.
Padding padding_by_batch(std::span<const ClipLength> lengths, int batch_size);

/// Clips that fit no bucket are not counted.
Padding padding_in_buckets(std::span<const ClipLength> lengths, std::span<const Bucket> buckets);

PaddingReport report_padding(std::span<const ClipLength> lengths, std::span<const Bucket> buckets,
                             const BucketOptions& options);

}  // namespace seda::feed
