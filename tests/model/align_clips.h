// SPDX-License-Identifier: Apache-2.0
// Batches to align, and what came of them on either device.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "seda/base/random.h"
#include "seda/model/align_cpu.h"
#include "seda/model/align_cuda.h"
#include "tests/audio/gpu.h"

namespace seda::model::testing_support {

using audio::testing_support::Gpu;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// A batch in the host's memory; NaN until it is filled.
struct Clips {
  Clips(int clips, int most_tokens, int most_frames)
      : batch(clips),
        tokens(most_tokens),
        frames(most_frames),
        values(static_cast<size_t>(clips) * static_cast<size_t>(most_tokens) *
                   static_cast<size_t>(most_frames),
               kNaN),
        token_lengths(static_cast<size_t>(clips), most_tokens),
        frame_lengths(static_cast<size_t>(clips), most_frames) {}

  size_t row(int clip, int token) const {
    return (static_cast<size_t>(clip) * static_cast<size_t>(tokens) + static_cast<size_t>(token)) *
           static_cast<size_t>(frames);
  }
  float& at(int clip, int token, int frame) {
    return values[row(clip, token) + static_cast<size_t>(frame)];
  }
  float at(int clip, int token, int frame) const {
    return values[row(clip, token) + static_cast<size_t>(frame)];
  }
  int tokens_of(int clip) const { return token_lengths[static_cast<size_t>(clip)]; }
  int frames_of(int clip) const { return frame_lengths[static_cast<size_t>(clip)]; }

  /// Within each clip's lengths `draw()`, beyond them NaN.
  template <typename Draw>
  void fill(const Draw& draw) {
    for (int i = 0; i < batch; ++i) {
      for (int s = 0; s < tokens_of(i); ++s) {
        for (int t = 0; t < frames_of(i); ++t)
          at(i, s, t) = draw();
      }
    }
  }

  /// Lengths for which there is a path, of all sizes.
  void draw_lengths(Random& random) {
    for (size_t i = 0; i < token_lengths.size(); ++i) {
      const auto least = static_cast<int32_t>(
          1 + random.below(static_cast<uint64_t>(tokens < frames ? tokens : frames)));
      token_lengths[i] = least;
      frame_lengths[i] =
          least + static_cast<int32_t>(random.below(static_cast<uint64_t>(frames - least + 1)));
    }
  }

  AlignInput input() const {
    return {values.data(), token_lengths.data(), frame_lengths.data(), batch, tokens, frames};
  }

  int batch;
  int tokens;
  int frames;
  std::vector<float> values;
  std::vector<int32_t> token_lengths;
  std::vector<int32_t> frame_lengths;
};

/// What an alignment wrote, between guards that it must leave alone.
struct Aligned {
  static constexpr size_t kGuard = 64;
  static constexpr int32_t kPoison = -77;
  static constexpr uint8_t kPoisonByte = 0xA5;

  explicit Aligned(const Clips& clips)
      : tokens(static_cast<size_t>(clips.tokens)),
        frames(static_cast<size_t>(clips.frames)),
        durations(clips.token_lengths.size() * tokens + 2 * kGuard, kPoison),
        path(clips.values.size() + 2 * kGuard, kPoisonByte),
        status(clips.token_lengths.size() + 2 * kGuard, kPoisonByte) {}

  std::vector<int32_t> durations_of(int clip) const {
    const auto begin =
        durations.begin() + static_cast<ptrdiff_t>(kGuard + static_cast<size_t>(clip) * tokens);
    return {begin, begin + static_cast<ptrdiff_t>(tokens)};
  }
  bool path_at(int clip, int token, int frame) const {
    const size_t row = static_cast<size_t>(clip) * tokens + static_cast<size_t>(token);
    return path[kGuard + row * frames + static_cast<size_t>(frame)] == 1;
  }
  AlignStatus status_of(int clip) const {
    return static_cast<AlignStatus>(status[kGuard + static_cast<size_t>(clip)]);
  }
  bool operator==(const Aligned&) const = default;

  size_t tokens;
  size_t frames;
  std::vector<int32_t> durations;
  std::vector<uint8_t> path;
  std::vector<uint8_t> status;
};

inline Aligned run_cpu(const Clips& clips, int threads = 1) {
  Aligned out(clips);
  align_cpu(clips.input(),
            {out.durations.data() + Aligned::kGuard, out.path.data() + Aligned::kGuard,
             reinterpret_cast<AlignStatus*>(out.status.data() + Aligned::kGuard)},
            threads);
  return out;
}

/// A batch and its result in the memory of a GPU.
struct GpuClips {
  GpuClips(Gpu& gpu, const Clips& clips)
      : result(clips),
        values(gpu.upload(clips.values)),
        token_lengths(gpu.upload(clips.token_lengths)),
        frame_lengths(gpu.upload(clips.frame_lengths)),
        durations(gpu.upload(result.durations)),
        path(gpu.upload(result.path)),
        status(gpu.upload(result.status)),
        shape{clips.batch, clips.tokens, clips.frames} {}

  AlignInput input() const {
    return {values.as<float>().data(),
            token_lengths.as<int32_t>().data(),
            frame_lengths.as<int32_t>().data(),
            shape.batch,
            shape.tokens,
            shape.frames};
  }
  AlignOutput output() const {
    return {durations.as<int32_t>().data() + Aligned::kGuard,
            path.as<uint8_t>().data() + Aligned::kGuard,
            status.as<AlignStatus>().data() + Aligned::kGuard};
  }
  Aligned download(Gpu& gpu) const {
    Aligned out = result;
    out.durations = gpu.download<int32_t>(durations);
    out.path = gpu.download<uint8_t>(path);
    out.status = gpu.download<uint8_t>(status);
    return out;
  }

  Aligned result;
  device::Buffer values;
  device::Buffer token_lengths;
  device::Buffer frame_lengths;
  device::Buffer durations;
  device::Buffer path;
  device::Buffer status;
  AlignShape shape;
};

inline Aligned run_cuda(Gpu& gpu, const Clips& clips) {
  const GpuClips there(gpu, clips);
  const AlignCuda align(there.shape, gpu.memory(), gpu.stream());
  align.apply(there.input(), there.output(), gpu.stream());
  return there.download(gpu);
}

}  // namespace seda::model::testing_support
