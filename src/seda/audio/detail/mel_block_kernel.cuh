// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/audio/detail/mel_device.cuh"

/// Log-mel with any n_fft whose two buffers fit shared memory: a block makes four frames, two at a
/// time as one complex signal, by Stockham's transform with radices 4, 2, 3 and 5.
namespace seda::audio::detail {

constexpr int kBlockFrames = 4;
/// Shared memory of a block: two buffers of a transform, the spectrum of four frames, the sums.
inline size_t block_kernel_bytes(int n_fft, int bins, int n_mels) {
  return 2 * static_cast<size_t>(n_fft) * sizeof(Complex) +
         (static_cast<size_t>(bins) + 2 * (static_cast<size_t>(n_mels) + 1)) * kBlockFrames *
             sizeof(float);
}

template <int radix>
__device__ __forceinline__ void small_fft(Complex (&x)[5]) {
  if constexpr (radix == 2) {
    const Complex gap = x[0] - x[1];
    x[0] = x[0] + x[1];
    x[1] = gap;
  } else if constexpr (radix == 4) {
    fft4(x[0], x[1], x[2], x[3]);
  } else if constexpr (radix == 3) {
    constexpr float kSine = 0.866025404F;
    const Complex sum = x[1] + x[2];
    const Complex gap = turn_right(x[1] - x[2]);
    const Complex middle{x[0].re - 0.5F * sum.re, x[0].im - 0.5F * sum.im};
    x[0] = x[0] + sum;
    x[1] = {middle.re + kSine * gap.re, middle.im + kSine * gap.im};
    x[2] = {middle.re - kSine * gap.re, middle.im - kSine * gap.im};
  } else {
    constexpr float kC1 = 0.309016994F;
    constexpr float kC2 = -0.809016994F;
    constexpr float kS1 = 0.951056516F;
    constexpr float kS2 = 0.587785252F;
    const Complex s1 = x[1] + x[4];
    const Complex s2 = x[2] + x[3];
    const Complex d1 = turn_right(x[1] - x[4]);
    const Complex d2 = turn_right(x[2] - x[3]);
    const Complex m1{x[0].re + kC1 * s1.re + kC2 * s2.re, x[0].im + kC1 * s1.im + kC2 * s2.im};
    const Complex m2{x[0].re + kC2 * s1.re + kC1 * s2.re, x[0].im + kC2 * s1.im + kC1 * s2.im};
    const Complex t1{kS1 * d1.re + kS2 * d2.re, kS1 * d1.im + kS2 * d2.im};
    const Complex t2{kS2 * d1.re - kS1 * d2.re, kS2 * d1.im - kS1 * d2.im};
    x[0] = x[0] + s1 + s2;
    x[1] = m1 + t1;
    x[2] = m2 + t2;
    x[3] = m2 - t2;
    x[4] = m1 - t1;
  }
}

/// One pass: `done` is the product of the radices before.
template <int radix>
__device__ __forceinline__ void stockham_pass(const MelTask& task, int done, const Complex* from,
                                              Complex* to) {
  const int groups = task.n_fft / radix;
  const int step = groups / done;
  for (int j = threadIdx.x; j < groups; j += kBlockThreads) {
    const int k = j % done;
    Complex x[5];
#pragma unroll
    for (int q = 0; q < radix; ++q) {
      const float2 turn = task.twiddles[q * k * step];
      x[q] = from[j + q * groups] * Complex{turn.x, turn.y};
    }
    small_fft<radix>(x);
    Complex* const out = to + (j - k) * radix + k;
#pragma unroll
    for (int q = 0; q < radix; ++q)
      out[q * done] = x[q];
  }
  __syncthreads();
}

/// Transforms `buffers[0]`; returns which buffer holds the result.
__device__ __forceinline__ Complex* stockham(const MelTask& task, const Radices& radices,
                                             Complex* from, Complex* to) {
  int done = 1;
  for (int i = 0; i < radices.count; ++i) {
    switch (radices.at[i]) {
      case 2:
        stockham_pass<2>(task, done, from, to);
        break;
      case 3:
        stockham_pass<3>(task, done, from, to);
        break;
      case 4:
        stockham_pass<4>(task, done, from, to);
        break;
      default:
        stockham_pass<5>(task, done, from, to);
        break;
    }
    done *= radices.at[i];
    Complex* const result = to;
    to = from;
    from = result;
  }
  return from;
}

__global__ void __launch_bounds__(kBlockThreads) mel_block_kernel(MelTask task, Radices radices) {
  extern __shared__ float4 shared[];
  float4* const spectrum = shared;  // [bins] of four frames
  auto* const rising = reinterpret_cast<float*>(spectrum + task.bins);
  float* const falling = rising + (task.n_mels + 1) * kBlockFrames;
  auto* const first_buffer = reinterpret_cast<Complex*>(falling + (task.n_mels + 1) * kBlockFrames);
  Complex* const second_buffer = first_buffer + task.n_fft;

  const int clip_index = blockIdx.y;
  const int first = blockIdx.x * kBlockFrames;
  const ClipView clip = clip_view(task, clip_index);
  const int limit = frame_limit(task, clip.length);
  if (!has_frame(task, limit, first)) {
    store_padding<kBlockFrames>(task, clip_index, first);
    return;
  }
  for (int pair = 0; pair < kBlockFrames / 2; ++pair) {
    const int begin = (first + 2 * pair) * task.hop_length - task.padding;
    for (int i = threadIdx.x; i < task.n_fft; i += kBlockThreads) {
      const float window = task.window[i];
      first_buffer[i] = {clip[mirror(begin + i, clip.length)] * window,
                         clip[mirror(begin + task.hop_length + i, clip.length)] * window};
    }
    __syncthreads();
    const Complex* const x = stockham(task, radices, first_buffer, second_buffer);
    for (int k = threadIdx.x; k < task.bins; k += kBlockThreads) {
      const float2 squares = unpack_squares(x[k], x[k == 0 ? 0 : task.n_fft - k]);
      reinterpret_cast<float2*>(spectrum + k)[pair] = {raise(squares.x, task.half_power),
                                                       raise(squares.y, task.half_power)};
    }
    __syncthreads();
  }
  sum_segments<kBlockFrames, kBlockFrames>(task, reinterpret_cast<const float*>(spectrum), rising,
                                           falling);
  __syncthreads();
  store_bands<kBlockFrames>(task, clip_index, first, limit, rising, falling);
}

}  // namespace seda::audio::detail
