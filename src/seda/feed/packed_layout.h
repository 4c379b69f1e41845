// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "seda/audio/mel_options.h"
#include "seda/feed/batch.h"
#include "seda/feed/buckets.h"
#include "seda/feed/packed_batch.h"

namespace seda::feed {

/// How the clips of a batch are staged: each row has the same room, enough for the longest that its
/// shape allows, so that a clip that stands in for a bad one always fits.
struct PackedShape {
  BatchShape batch;
  AudioKind kind = AudioKind::pcm16;
  int64_t sound_stride = 0;  ///< Samples or floats of a row.
  bool carries = true;       ///< Off: tokens and sounds lie elsewhere, only rows are staged.

  bool operator==(const PackedShape&) const = default;
};

PackedShape packed_shape(const BatchShape& batch, AudioKind kind, const audio::MelOptions& mel,
                         bool carries);

/// The arrays of a staged batch, to be written. See `PackedBatch`.
struct PackedArrays {
  int64_t* sound_offsets = nullptr;
  int64_t* token_offsets = nullptr;
  int32_t* sound_lengths = nullptr;
  int32_t* mel_lengths = nullptr;
  int32_t* token_lengths = nullptr;
  int32_t* speakers = nullptr;
  int32_t* languages = nullptr;
  int32_t* tokens = nullptr;  ///< [batch, tokens] Null where nothing is carried.
  void* sounds = nullptr;     ///< [batch, sound_stride]
};

/// Bytes of a staged batch.
size_t packed_bytes(const PackedShape& shape);

/// Bytes that hold a staged batch of any of the buckets.
size_t largest_packed_bytes(std::span<const Bucket> buckets, AudioKind kind,
                            const audio::MelOptions& mel, bool carries);

/// Where its arrays lie in memory that begins at `base`: the same on every device.
PackedArrays packed_arrays(const PackedShape& shape, void* base);

/// The same as it is read. Where nothing is carried, `tokens` and `sounds` are left to the caller.
PackedBatch packed_batch(const PackedShape& shape, void* base);

}  // namespace seda::feed
