// SPDX-License-Identifier: Apache-2.0
// Packed clips and the arrays of their batch in the memory of a GPU, for tests.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "seda/audio/mel_cpu.h"
#include "seda/base/random.h"
#include "seda/feed/batch.h"
#include "seda/feed/packed_batch.h"
#include "seda/feed/samples_needed.h"
#include "tests/audio/clip.h"
#include "tests/audio/gpu.h"

namespace seda::feed::packed_clips {

using audio::MelOptions;
using audio::testing_support::Gpu;
using audio::testing_support::made_clip;

constexpr size_t kGuard = 64;      // bytes around each array
constexpr uint8_t kPoison = 0xFF;  // of floats, NaN

/// One clip, and how much of it is fed.
struct Clip {
  std::vector<int16_t> samples;
  std::vector<float> mel;  // [n_mels, own_frames]
  int own_frames = 0;
  std::vector<int32_t> tokens;
  int frames = 0;
  int token_count = 0;
  int32_t speaker = 0;
  int32_t language = 0;
};

/// The fewest samples that have just so many frames.
inline int64_t fewest_samples(const MelOptions& options, int frames) {
  int64_t samples = 1;
  while (audio::mel_frames(options, samples) < frames)
    ++samples;
  return samples;
}

inline Clip make_clip(const audio::MelCpu& mel, int64_t samples, int tokens, uint64_t seed) {
  Random random(seed);
  Clip clip;
  clip.samples = made_clip(static_cast<size_t>(samples), seed);
  clip.own_frames = static_cast<int>(mel.frames(static_cast<int64_t>(clip.samples.size())));
  const auto all = static_cast<size_t>(clip.own_frames);
  clip.mel.resize(static_cast<size_t>(mel.options().n_mels) * all);
  audio::MelCpu::Workspace workspace(mel);
  mel.apply(std::span<const int16_t>(clip.samples), workspace, {clip.mel.data(), all, all});
  for (int i = 0; i < tokens; ++i)
    clip.tokens.push_back(static_cast<int32_t>(1 + random.below(500)));
  clip.frames = clip.own_frames;
  clip.token_count = tokens;
  clip.speaker = static_cast<int32_t>(random.below(9));
  clip.language = static_cast<int32_t>(random.below(3));
  return clip;
}

/// Lengths from one to all there is room for; both ends among them where there is more than one.
/// Every third clip is cut.
inline std::vector<Clip> make_clips(const MelOptions& options, const BatchShape& shape) {
  const audio::MelCpu mel(options);
  Random random(7);
  std::vector<Clip> out;
  for (int i = 0; i < shape.batch; ++i) {
    const auto drawn = [&](int most) {
      if (i < 2) return i == 0 ? most : 1;
      return 1 + static_cast<int>(random.below(static_cast<uint64_t>(most)));
    };
    const int frames = drawn(shape.frames);
    const int tokens = drawn(shape.tokens);
    const bool cut = i % 3 == 2;
    const int64_t samples =
        cut ? samples_needed(options, frames + 9) : fewest_samples(options, frames);
    out.push_back(make_clip(mel, samples, cut ? tokens + 5 : tokens, static_cast<uint64_t>(i + 1)));
    out.back().frames = frames;
    out.back().token_count = tokens;
  }
  return out;
}

/// Clips in the GPU's memory, with values between them that must not be seen.
class Packed {
 public:
  Packed(Gpu& gpu, AudioKind kind, const std::vector<Clip>& clips) : kind_(kind) {
    std::vector<int16_t> samples(3, 32767);
    std::vector<float> mels(3, std::numeric_limits<float>::quiet_NaN());
    std::vector<int32_t> tokens(5, -77);
    std::vector<int64_t> sound_offsets;
    std::vector<int64_t> token_offsets;
    for (const Clip& clip : clips) {
      sound_offsets.push_back(
          static_cast<int64_t>(kind == AudioKind::pcm16 ? samples.size() : mels.size()));
      token_offsets.push_back(static_cast<int64_t>(tokens.size()));
      samples.insert(samples.end(), clip.samples.begin(), clip.samples.end());
      samples.insert(samples.end(), 5, 32767);
      mels.insert(mels.end(), clip.mel.begin(), clip.mel.end());
      mels.insert(mels.end(), 5, std::numeric_limits<float>::quiet_NaN());
      tokens.insert(tokens.end(), clip.tokens.begin(), clip.tokens.end());
      tokens.insert(tokens.end(), 3, -77);
    }
    sounds_ = kind == AudioKind::pcm16 ? gpu.upload(samples) : gpu.upload(mels);
    tokens_ = gpu.upload(tokens);
    sound_offsets_ = gpu.upload(sound_offsets);
    token_offsets_ = gpu.upload(token_offsets);
    upload_lengths(gpu, clips);
  }

  PackedBatch view() const {
    const auto row = [&](size_t i) { return numbers_[i].as<int32_t>().data(); };
    return {.batch = static_cast<int>(count_),
            .kind = kind_,
            .sounds = sounds_.data(),
            .tokens = tokens_.as<int32_t>().data(),
            .sound_offsets = sound_offsets_.as<int64_t>().data(),
            .token_offsets = token_offsets_.as<int64_t>().data(),
            .sound_lengths = row(0),
            .mel_lengths = row(1),
            .token_lengths = row(2),
            .speakers = row(3),
            .languages = row(4)};
  }

 private:
  void upload_lengths(Gpu& gpu, const std::vector<Clip>& clips) {
    count_ = clips.size();
    std::vector<std::vector<int32_t>> numbers(5);
    for (const Clip& clip : clips) {
      numbers[0].push_back(kind_ == AudioKind::pcm16 ? static_cast<int32_t>(clip.samples.size())
                                                     : clip.own_frames);
      numbers[1].push_back(clip.frames);
      numbers[2].push_back(clip.token_count);
      numbers[3].push_back(clip.speaker);
      numbers[4].push_back(clip.language);
    }
    for (const auto& each : numbers)
      numbers_.push_back(gpu.upload(each));
  }

  AudioKind kind_;
  size_t count_ = 0;
  device::Buffer sounds_;
  device::Buffer tokens_;
  device::Buffer sound_offsets_;
  device::Buffer token_offsets_;
  std::vector<device::Buffer> numbers_;
};

/// An array in the GPU's memory that was full of poison, with guards around it.
template <typename T>
class Guarded {
 public:
  Guarded(Gpu& gpu, size_t count)
      : count_(count),
        memory_(gpu.upload(std::vector<uint8_t>(count * sizeof(T) + 2 * kGuard, kPoison))) {}

  T* data() const { return reinterpret_cast<T*>(static_cast<std::byte*>(memory_.data()) + kGuard); }

  /// Its elements. Fails where something was written around them.
  std::vector<T> read(Gpu& gpu) const {
    const auto bytes = gpu.download<uint8_t>(memory_);
    const auto poisoned = [](uint8_t byte) { return byte == kPoison; };
    EXPECT_TRUE(std::all_of(bytes.begin(), bytes.begin() + kGuard, poisoned)) << "before";
    EXPECT_TRUE(std::all_of(bytes.end() - kGuard, bytes.end(), poisoned)) << "after";
    std::vector<T> out(count_);
    std::memcpy(out.data(), bytes.data() + kGuard, count_ * sizeof(T));
    return out;
  }

 private:
  size_t count_;
  device::Buffer memory_;
};

/// The arrays of a batch in the GPU's memory.
struct Arrays {
  Arrays(Gpu& gpu, const BatchShape& shape)
      : mel(gpu,
            static_cast<size_t>(shape.batch * shape.n_mels) * static_cast<size_t>(shape.frames)),
        tokens(gpu, static_cast<size_t>(shape.batch * shape.tokens)),
        mel_mask(gpu, static_cast<size_t>(shape.batch * shape.frames)),
        token_mask(gpu, static_cast<size_t>(shape.batch * shape.tokens)),
        mel_lengths(gpu, static_cast<size_t>(shape.batch)),
        token_lengths(gpu, static_cast<size_t>(shape.batch)),
        speakers(gpu, static_cast<size_t>(shape.batch)),
        languages(gpu, static_cast<size_t>(shape.batch)) {}

  BatchArrays view() const {
    return {mel.data(),         tokens.data(),        mel_mask.data(), token_mask.data(),
            mel_lengths.data(), token_lengths.data(), speakers.data(), languages.data()};
  }

  Guarded<float> mel;
  Guarded<int32_t> tokens;
  Guarded<uint8_t> mel_mask;
  Guarded<uint8_t> token_mask;
  Guarded<int32_t> mel_lengths;
  Guarded<int32_t> token_lengths;
  Guarded<int32_t> speakers;
  Guarded<int32_t> languages;
};

}  // namespace seda::feed::packed_clips
