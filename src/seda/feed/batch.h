// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "seda/device/buffer.h"
#include "seda/pipeline/slot_ring.h"

namespace seda::feed {

struct BatchShape {
  int batch = 0;  ///< Clips.
  int tokens = 0;
  int frames = 0;
  int n_mels = 0;

  bool operator==(const BatchShape&) const = default;
};

/// The arrays of a batch, in the memory of one device.
struct BatchArrays {
  float* mel = nullptr;              ///< [batch, n_mels, frames] Padded with `mel_silence`.
  int32_t* tokens = nullptr;         ///< [batch, tokens] Padded with `text::kPadToken`.
  uint8_t* mel_mask = nullptr;       ///< [batch, frames] 1 where the clip is, 0 where padding is.
  uint8_t* token_mask = nullptr;     ///< [batch, tokens]
  int32_t* mel_lengths = nullptr;    ///< [batch] Frames.
  int32_t* token_lengths = nullptr;  ///< [batch]
  int32_t* speakers = nullptr;       ///< [batch] Places in `ClipSource::speakers`.
  int32_t* languages = nullptr;      ///< [batch] Places in `ClipSource::languages`.
};

/// What the host knows of a batch.
struct BatchInfo {
  uint32_t bucket = 0;
  uint64_t epoch = 0;
  uint64_t batch = 0;  ///< Of the epoch.
  uint64_t step = 0;   ///< Since the first epoch.
  size_t repeats = 0;  ///< The last so many were already fed in this epoch.
  bool last_of_epoch = false;
  std::vector<uint32_t> clips;  ///< Rows of the source, as they were fed.  // [batch]
  uint32_t replaced = 0;        ///< Of them stand in for bad ones.
  int64_t real_frames = 0;      ///< Without padding.
  int64_t real_tokens = 0;
};

/// A batch in its slot. The arrays may be touched by work on the stream that `Loader::next` was
/// given, until the lease ends.
struct Batch {
  BatchShape shape;
  BatchArrays arrays;
  BatchInfo info;
  device::Buffer memory;  ///< Holds the arrays; large enough for every shape.
};

/// A batch that is being used; its end gives the slot back once the stream has passed.
using BatchRing = pipeline::SlotRing<Batch>;
using BatchLease = BatchRing::Using;

}  // namespace seda::feed
