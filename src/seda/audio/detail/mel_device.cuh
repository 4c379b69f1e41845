// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda_bf16.h>

#include "seda/audio/detail/fft_registers.cuh"
#include "seda/audio/detail/mel_launch_cuda.h"

namespace seda::audio::detail {

constexpr int kBlockThreads = 256;

/// Frames of a clip by the definition (mel_options.h).
__device__ __forceinline__ int frame_count(const MelTask& task, int samples) {
  const int room = samples + 2 * task.padding - task.n_fft;
  return samples <= 0 || room < 0 ? 0 : room / task.hop_length + 1;
}

/// Where sample `i` of a clip of `n` is, mirrored at both ends as often as it takes.
__device__ __forceinline__ int mirror(int i, int n) {
  if (i >= 0 && i < n) return i;
  if (n == 1) return 0;
  const int period = 2 * (n - 1);
  i = (i < 0 ? -i : i) % period;
  return i < n ? i : period - i;
}

/// One clip of the batch.
struct ClipView {
  const void* samples;  // of its first
  int length;
  bool is_pcm16;

  __device__ __forceinline__ float operator[](int i) const {
    if (is_pcm16) return static_cast<const int16_t*>(samples)[i] * (1.0F / 32768.0F);
    return static_cast<const float*>(samples)[i];
  }
};

__device__ __forceinline__ ClipView clip_view(const MelTask& task, int clip) {
  const int64_t offset = task.offsets[clip];
  const void* samples =
      task.is_pcm16 ? static_cast<const void*>(static_cast<const int16_t*>(task.samples) + offset)
                    : static_cast<const void*>(static_cast<const float*>(task.samples) + offset);
  return {samples, task.lengths[clip], task.is_pcm16};
}

__device__ __forceinline__ float root(float square) {
  float out;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(out) : "f"(square));
  return out;
}

/// |X|^power of |X|².
__device__ __forceinline__ float raise(float square, float half_power) {
  if (half_power == 1.0F) return square;
  return half_power == 0.5F ? root(square) : powf(square, half_power);
}

/// Squared magnitudes of two real frames, from their packed spectrum at bin k and at n_fft - k.
__device__ __forceinline__ float2 unpack_squares(Complex at, Complex mirrored) {
  const float a_re = at.re + mirrored.re;
  const float a_im = at.im - mirrored.im;
  const float b_re = at.im + mirrored.im;
  const float b_im = at.re - mirrored.re;
  return {a_re * a_re + a_im * a_im, b_re * b_re + b_im * b_im};
}

__device__ __forceinline__ float4 fused_add(float weight, float4 x, float4 sum) {
  return {fmaf(weight, x.x, sum.x), fmaf(weight, x.y, sum.y), fmaf(weight, x.z, sum.z),
          fmaf(weight, x.w, sum.w)};
}

/// The sums over each segment between two band edges, for the band that rises there and the one
/// that falls. `spectrum` is [bins, stride], `rising` and `falling` are [n_mels + 1, frames], all
/// in shared memory. Every thread of the block takes part; four frames each.
template <int frames, int stride>
__device__ __forceinline__ void sum_segments(const MelTask& task, const float* spectrum,
                                             float* rising, float* falling) {
  constexpr int kQuads = frames / 4;
  constexpr int kGroup = kBlockThreads / kQuads;  // segments at a time
  const int quad = threadIdx.x % kQuads;
  for (int first = 0; first <= task.n_mels; first += kGroup) {
    // Segments grow with frequency: whoever takes a narrow one of the first takes a wide one next.
    const int place = static_cast<int>(threadIdx.x) / kQuads;
    const int segment = first + (first / kGroup % 2 == 0 ? place : kGroup - 1 - place);
    if (segment > task.n_mels) continue;
    const int2 range = task.segments[segment];
    float4 up{};
    float4 down{};
    for (int bin = range.x; bin < range.y; ++bin) {
      const float2 weight = task.weights[bin];
      const auto value = *reinterpret_cast<const float4*>(spectrum + bin * stride + quad * 4);
      up = fused_add(weight.x, value, up);
      down = fused_add(weight.y, value, down);
    }
    *reinterpret_cast<float4*>(rising + segment * frames + quad * 4) = up;
    *reinterpret_cast<float4*>(falling + segment * frames + quad * 4) = down;
  }
}

__device__ __forceinline__ float compress(const MelTask& task, float value) {
  return logf(fmaxf(value, task.floor)) * task.log_scale;
}

/// Writes one value of the output.
__device__ __forceinline__ void store(const MelTask& task, int64_t at, float value) {
  if (task.is_bfloat16) {
    static_cast<__nv_bfloat16*>(task.output)[at] = __float2bfloat16_rn(value);
  } else {
    static_cast<float*>(task.output)[at] = value;
  }
}

/// Writes `frames` frames of every band from frame `first` on, neighbours side by side; what lies
/// beyond `count` is padding.
template <int frames>
__device__ __forceinline__ void store_bands(const MelTask& task, int clip, int first, int count,
                                            const float* rising, const float* falling) {
  const int frame = threadIdx.x % frames;
  const int t = first + frame;
  if (t >= task.frames) return;
  for (int band = threadIdx.x / frames; band < task.n_mels; band += kBlockThreads / frames) {
    const float sum = rising[band * frames + frame] + falling[(band + 1) * frames + frame];
    const int64_t row = static_cast<int64_t>(clip) * task.n_mels + band;
    store(task, row * task.frames + t, t < count ? compress(task, sum) : task.pad_value);
  }
}

/// The same for frames that are all padding.
template <int frames>
__device__ __forceinline__ void store_padding(const MelTask& task, int clip, int first) {
  const int t = first + static_cast<int>(threadIdx.x) % frames;
  if (t >= task.frames) return;
  for (int band = threadIdx.x / frames; band < task.n_mels; band += kBlockThreads / frames)
    store(task, (static_cast<int64_t>(clip) * task.n_mels + band) * task.frames + t,
          task.pad_value);
}

}  // namespace seda::audio::detail
