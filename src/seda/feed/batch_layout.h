// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "seda/feed/batch.h"
#include "seda/feed/buckets.h"

namespace seda::feed {

/// Bytes of a batch: its arrays one after another, each aligned to 256.
size_t batch_bytes(const BatchShape& shape);

/// Where the arrays of a batch of that shape lie in memory that begins at `base`.
BatchArrays batch_arrays(const BatchShape& shape, void* base);

/// Bytes that hold a batch of any of the buckets.
size_t largest_batch_bytes(std::span<const Bucket> buckets, int n_mels);

}  // namespace seda::feed
