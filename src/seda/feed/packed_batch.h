// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "seda/feed/audio_options.h"

namespace seda::feed {

/// The clips of a batch before they are padded: what each row is, and where it lies. Every pointer
/// is of one device.
///
/// Staged batches carry their clips with them, one after another; those of a resident corpus point
/// into it. Either way a row is found by its offsets alone.
struct PackedBatch {
  int batch = 0;
  AudioKind kind = AudioKind::pcm16;
  const void* sounds = nullptr;            ///< 16-bit samples, or floats of mels.
  const int32_t* tokens = nullptr;         ///< Of all clips.
  const int64_t* sound_offsets = nullptr;  ///< [batch] In samples or floats.
  const int64_t* token_offsets = nullptr;  ///< [batch]
  const int32_t* sound_lengths = nullptr;  ///< [batch] Samples; of a mel, frames between its rows.
  const int32_t* mel_lengths = nullptr;    ///< [batch] Frames that are fed.
  const int32_t* token_lengths = nullptr;  ///< [batch] Tokens that are fed.
  const int32_t* speakers = nullptr;       ///< [batch]
  const int32_t* languages = nullptr;      ///< [batch]
};

}  // namespace seda::feed
