// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda_bf16.h>

#include "seda/audio/detail/fft_registers.cuh"
#include "seda/audio/detail/mel_launch_cuda.h"
#include "seda/audio/detail/mirror.cuh"

namespace seda::audio::detail {

/// Where the last frame of a clip may begin, counted in samples from where the first does; negative
/// where it has none. Frame t is one of the clip's where t · hop_length is not beyond it: no
/// division.
__device__ __forceinline__ int frame_limit(const MelTask& task, int samples) {
  return samples <= 0 ? -1 : samples + 2 * task.padding - task.n_fft;
}
__device__ __forceinline__ bool has_frame(const MelTask& task, int limit, int t) {
  return t * task.hop_length <= limit;
}

/// Samples are counted in steps of 16 bits: the window undoes it.
__device__ __forceinline__ float in_steps(int16_t sample) {
  return static_cast<float>(sample);
}
__device__ __forceinline__ float in_steps(float sample) {
  return sample * 32768.0F;
}

/// One clip of the batch.
struct ClipView {
  const void* samples;  // of its first
  int length;
  bool is_pcm16;

  __device__ __forceinline__ float operator[](int i) const {
    return is_pcm16 ? in_steps(static_cast<const int16_t*>(samples)[i])
                    : in_steps(static_cast<const float*>(samples)[i]);
  }
};

__device__ __forceinline__ ClipView clip_view(const MelTask& task, int clip) {
  const int64_t bytes = task.offsets[clip] * (task.is_pcm16 ? 2 : 4);
  return {static_cast<const char*>(task.samples) + bytes, task.lengths[clip], task.is_pcm16};
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
    const int segment = first + static_cast<int>(threadIdx.x) / kQuads;
    if (segment > task.n_mels) break;
    const int2 range = task.segments[segment];
    float4 up{};
    float4 down{};
#pragma unroll 4
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

/// The floor is far above what `ftz` takes for zero; to 3e-6.
__device__ __forceinline__ float compress(const MelTask& task, float value) {
  float binary;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(binary) : "f"(fmaxf(value, task.floor)));
  return binary * task.log2_scale;
}

__device__ __forceinline__ void put(float* at, float value) {
  *at = value;
}
__device__ __forceinline__ void put(__nv_bfloat16* at, float value) {
  *at = __float2bfloat16_rn(value);
}

/// Writes `frames` frames of every band from frame `first` on, neighbours side by side, where
/// `value(band, frame)` says what.
template <int frames, typename Out, typename Value>
__device__ __forceinline__ void store_rows(const MelTask& task, int clip, int first, Value value) {
  constexpr int kBands = kBlockThreads / frames;  // at a time
  const int frame = threadIdx.x % frames;
  int band = threadIdx.x / frames;
  if (first + frame >= task.frames) return;
  const int64_t row = static_cast<int64_t>(clip) * task.n_mels + band;
  Out* at = static_cast<Out*>(task.output) + row * task.frames + first + frame;
#pragma unroll 5
  for (; band < task.n_mels; band += kBands, at += static_cast<int64_t>(kBands) * task.frames)
    put(at, value(band, frame));
}

template <int frames, typename Value>
__device__ __forceinline__ void store(const MelTask& task, int clip, int first, Value value) {
  if (task.is_bfloat16) {
    store_rows<frames, __nv_bfloat16>(task, clip, first, value);
  } else {
    store_rows<frames, float>(task, clip, first, value);
  }
}

/// Writes `frames` frames of every band from frame `first` on; what lies beyond the clip's is
/// padding.
template <int frames>
__device__ __forceinline__ void store_bands(const MelTask& task, int clip, int first, int limit,
                                            const float* rising, const float* falling) {
  const int t = first + static_cast<int>(threadIdx.x) % frames;
  const bool padding = !has_frame(task, limit, t);
  store<frames>(task, clip, first, [&](int band, int frame) {
    const float sum = rising[band * frames + frame] + falling[(band + 1) * frames + frame];
    return padding ? task.pad_value : compress(task, sum);
  });
}

/// The same for frames that are all padding.
template <int frames>
__device__ __forceinline__ void store_padding(const MelTask& task, int clip, int first) {
  store<frames>(task, clip, first, [&](int, int) { return task.pad_value; });
}

}  // namespace seda::audio::detail
