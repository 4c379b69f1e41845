// SPDX-License-Identifier: Apache-2.0
// Batches as the loader gives them, made from nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "seda/device/buffer.h"
#include "seda/device/copy.h"
#include "seda/device/plain_resource.h"
#include "seda/device/platform.h"
#include "seda/feed/batch_layout.h"

namespace seda::train::testing_support {

inline const device::Platform& platform() {
  static const device::Platform machine;
  return machine;
}

/// A device with a stream and memory for batches.
struct Place {
  explicit Place(device::Device device = device::kCpu)
      : stream(platform(), device), memory(platform(), device) {}

  device::Stream stream;
  device::PlainResource memory;
};

/// A clip of a made batch; its content follows from its number alone.
struct MadeClip {
  int number = 0;
  int frames = 0;
  int tokens = 0;
  int speaker = 0;
};

constexpr float kSilence = -11.5F;
constexpr int kSymbols = 12;

inline float mel_value(int clip, int mel, int frame) {
  const auto place = static_cast<double>(clip * 7 + mel * 3 + frame);
  return static_cast<float>(-5 + 2 * std::sin(0.37 * place) + std::cos(0.11 * place * mel));
}

inline void write_clip(const feed::Batch& batch, const feed::BatchArrays& arrays, size_t row,
                       const MadeClip& clip) {
  const feed::BatchShape& shape = batch.shape;
  for (int mel = 0; mel < shape.n_mels; ++mel) {
    float* values =
        arrays.mel + (row * static_cast<size_t>(shape.n_mels) + static_cast<size_t>(mel)) *
                         static_cast<size_t>(shape.frames);
    for (int frame = 0; frame < shape.frames; ++frame)
      values[frame] = frame < clip.frames ? mel_value(clip.number, mel, frame) : kSilence;
  }
  int32_t* tokens = arrays.tokens + row * static_cast<size_t>(shape.tokens);
  for (int token = 0; token < shape.tokens; ++token)
    tokens[token] = token < clip.tokens ? 1 + (clip.number + token) % (kSymbols - 1) : 0;
  arrays.mel_lengths[row] = clip.frames;
  arrays.token_lengths[row] = clip.tokens;
  arrays.speakers[row] = clip.speaker;
  arrays.languages[row] = 0;
}

/// The clips in the memory of `place`, as the loader lays them out.
inline feed::Batch make_batch(Place& place, const feed::BatchShape& shape,
                              std::span<const MadeClip> clips) {
  feed::Batch batch;
  batch.shape = shape;
  std::vector<std::byte> host(feed::batch_bytes(shape));
  const feed::BatchArrays arrays = feed::batch_arrays(shape, host.data());
  for (size_t row = 0; row < clips.size(); ++row)
    write_clip(batch, arrays, row, clips[row]);
  batch.memory = device::Buffer(host.size(), place.memory, place.stream);
  batch.arrays = feed::batch_arrays(shape, batch.memory.data());
  device::copy(batch.memory.location(), device::on_host(host.data()), host.size(), place.stream);
  place.stream.synchronize();
  return batch;
}

/// Clips of different lengths, each of its own speaker.
inline std::vector<MadeClip> made_clips(int count, const feed::BatchShape& shape, int first = 0) {
  std::vector<MadeClip> clips;
  for (int i = first; i < first + count; ++i) {
    clips.push_back({.number = i,
                     .frames = shape.frames - (i * 3) % (shape.frames / 2),
                     .tokens = shape.tokens - i % (shape.tokens / 2),
                     .speaker = i % 8});
  }
  return clips;
}

inline feed::Batch make_batch(Place& place, const feed::BatchShape& shape, int first = 0) {
  return make_batch(place, shape, made_clips(shape.batch, shape, first));
}

}  // namespace seda::train::testing_support
