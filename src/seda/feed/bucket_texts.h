// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "seda/feed/buckets.h"

namespace seda::feed {

/// Lowers the tokens of each bucket where the padding saved outweighs that of the clips that no
/// longer fit and move to the next: a few clips with far more text than others of their length
/// (often a wrong transcript) would otherwise set the size for all.
///
/// By the weights of `options`, padding never grows. Buckets ascend as before and keep the clips of
/// a whole batch. Linear in the clips.
std::vector<Bucket> shorten_texts(std::span<const ClipLength> lengths, const BucketOptions& options,
                                  std::vector<Bucket> buckets);

}  // namespace seda::feed
