// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "seda/audio/mel_options.h"
#include "seda/feed/clip_source.h"

namespace seda::feed {

/// Of what offsets of a packed batch count: a sample, or a float of a mel.
constexpr size_t element_bytes(AudioKind kind) {
  return kind == AudioKind::pcm16 ? sizeof(int16_t) : sizeof(float);
}

/// Those of a clip's samples that its first `frames` frames need.
std::span<const int16_t> needed(std::span<const int16_t> samples, const audio::MelOptions& mel,
                                int frames);

/// Rows of a mel, `stride` floats apart.
template <typename T>
struct Bands {
  T* data = nullptr;
  size_t stride = 0;
};

/// Copies the first `frames` frames of each band.
void copy_bands(Bands<const float> from, Bands<float> to, size_t n_mels, size_t frames);

/// Copies what a packed batch holds of a clip of which `frames` frames are fed: samples, or a mel
/// without gaps between its rows. Returns its length as `PackedBatch` counts it.
int32_t pack_sound(const ClipContent& content, const audio::MelOptions& mel, int frames, void* to);

}  // namespace seda::feed
