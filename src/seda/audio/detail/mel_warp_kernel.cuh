// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/audio/detail/mel_device.cuh"

/// Log-mel with n_fft 1024: a block makes 16 frames of a clip, each of its eight warps two.
///
/// Two real frames a and b are one complex signal a + jb, whose 1024 points are 32 rows of 32: a
/// thread transforms a column in registers, turns it, the warp exchanges rows for columns through
/// shared memory, and the thread transforms again. Lane l then holds bins l, l + 32, l + 64, …; the
/// mirrored bins that tell a from b are in lane 32 - l.
namespace seda::audio::detail {

constexpr int kWarpFrames = 16;
constexpr int kWarpStride = kWarpFrames + 4;  // floats between bins: whole vectors, few conflicts
constexpr int kExchangeRow = 33;              // one more than a row: no conflicts
constexpr unsigned kAllLanes = 0xffffffffU;

/// Shared memory of a block, in floats: its samples, later the sums; then the exchange, later the
/// spectrum.
struct WarpLayout {
  int samples;
  int exchange;

  __host__ __device__ static constexpr WarpLayout of(int hop_length, int n_mels, int rows) {
    const int samples = (kWarpFrames - 1) * hop_length + 1024;
    const int sums = 2 * (n_mels + 1) * kWarpFrames;
    const int exchange = kBlockThreads / 32 * 32 * kExchangeRow;
    const int spectrum = rows * 32 * kWarpStride;
    return {((samples > sums ? samples : sums) + 3) / 4 * 4,
            exchange > spectrum ? exchange : spectrum};
  }
  constexpr size_t bytes() const {
    return (static_cast<size_t>(samples) + exchange) * sizeof(float);
  }
};

/// The samples of the block's frames, mirrored where they reach beyond the clip.
__device__ __forceinline__ void stage_samples(const MelTask& task, const ClipView& clip, int first,
                                              float* staged) {
  const int count = (kWarpFrames - 1) * task.hop_length + 1024;
  const int begin = first * task.hop_length - task.padding;
  if (begin >= 0 && begin + count <= clip.length) {
#pragma unroll 4
    for (int i = threadIdx.x; i < count; i += kBlockThreads)
      staged[i] = clip[begin + i];
    return;
  }
  for (int i = threadIdx.x; i < count; i += kBlockThreads)
    staged[i] = clip[mirror(begin + i, clip.length)];
}

/// Column `lane` of two windowed frames, `hop_rows` rows of 32 samples apart; 0: of any distance.
template <int hop_rows>
__device__ __forceinline__ void load_column(const MelTask& task, const float* staged, int lane,
                                            Complex (&x)[32]) {
  if constexpr (hop_rows > 0) {
    float column[32 + hop_rows];
#pragma unroll
    for (int i = 0; i < 32 + hop_rows; ++i)
      column[i] = staged[i * 32 + lane];
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      const float window = task.window[i * 32 + lane];
      x[i] = {column[i] * window, column[i + hop_rows] * window};
    }
  } else {
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      const float window = task.window[i * 32 + lane];
      x[i] = {staged[i * 32 + lane] * window, staged[task.hop_length + i * 32 + lane] * window};
    }
  }
}

/// x[k] · exp(-2πj · lane · k / 1024): a product of at most two values from the table.
__device__ __forceinline__ void turn_column(const MelTask& task, int lane, Complex (&x)[32]) {
  Complex fine[4];
#pragma unroll
  for (int k = 1; k < 4; ++k) {
    const float2 turn = task.twiddles[lane * k];
    fine[k] = {turn.x, turn.y};
    x[k] = x[k] * fine[k];
  }
#pragma unroll
  for (int k = 4; k < 32; k += 4) {
    const float2 turn = task.twiddles[lane * k];
    const Complex coarse{turn.x, turn.y};
    x[k] = x[k] * coarse;
#pragma unroll
    for (int i = 1; i < 4; ++i)
      x[k + i] = x[k + i] * (coarse * fine[i]);
  }
}

/// Rows for columns: lane l gets element l of every lane.
__device__ __forceinline__ void exchange(float* buffer, int lane, Complex (&x)[32]) {
#pragma unroll
  for (int i = 0; i < 32; ++i)
    buffer[i * kExchangeRow + lane] = x[i].re;
  __syncwarp();
#pragma unroll
  for (int i = 0; i < 32; ++i)
    x[i].re = buffer[lane * kExchangeRow + i];
  __syncwarp();
#pragma unroll
  for (int i = 0; i < 32; ++i)
    buffer[i * kExchangeRow + lane] = x[i].im;
  __syncwarp();
#pragma unroll
  for (int i = 0; i < 32; ++i)
    x[i].im = buffer[lane * kExchangeRow + i];
}

/// |X|² of both frames at bins lane, lane + 32, …; |X| where that is the power.
template <int rows>
__device__ __forceinline__ void magnitudes(const MelTask& task, int lane, const Complex (&x)[32],
                                           float2 (&out)[rows]) {
  const int partner = (32 - lane) & 31;
#pragma unroll
  for (int i = 0; i < rows; ++i) {
    Complex other{__shfl_sync(kAllLanes, x[31 - i].re, partner),
                  __shfl_sync(kAllLanes, x[31 - i].im, partner)};
    if (lane == 0) other = x[(32 - i) & 31];
    out[i] = unpack_squares(x[i], other);
  }
  if (task.half_power != 0.5F) return;
#pragma unroll
  for (int i = 0; i < rows; ++i)
    out[i] = {root(out[i].x), root(out[i].y)};
}

/// Squares to any other power than 1 and 2, in place.
__device__ __forceinline__ void raise_spectrum(const MelTask& task, float* spectrum, int count) {
  if (task.half_power == 0.5F || task.half_power == 1.0F) return;
#pragma unroll 1
  for (int i = threadIdx.x; i < count; i += kBlockThreads)
    spectrum[i] = powf(spectrum[i], task.half_power);
  __syncthreads();
}

template <int rows, int hop_rows>
__global__ void __launch_bounds__(kBlockThreads, 2) mel_warp_kernel(MelTask task) {
  extern __shared__ float4 shared[];
  const WarpLayout layout = WarpLayout::of(task.hop_length, task.n_mels, rows);
  float* const staged = reinterpret_cast<float*>(shared);
  float* const spectrum = staged + layout.samples;
  float4* const rising = shared;
  float4* const falling = rising + (task.n_mels + 1) * (kWarpFrames / 4);

  const int clip_index = blockIdx.y;
  const int first = blockIdx.x * kWarpFrames;
  const ClipView clip = clip_view(task, clip_index);
  const int count = frame_count(task, clip.length);
  if (first >= count) {
    store_padding<kWarpFrames>(task, clip_index, first);
    return;
  }
  stage_samples(task, clip, first, staged);
  __syncthreads();

  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  Complex x[32];
  load_column<hop_rows>(task, staged + 2 * warp * task.hop_length, lane, x);
  fft32(x);
  turn_column(task, lane, x);
  exchange(spectrum + warp * 32 * kExchangeRow, lane, x);
  fft32(x);
  float2 values[rows];
  magnitudes<rows>(task, lane, x, values);

  __syncthreads();  // every exchange is over, its place becomes the spectrum's
#pragma unroll
  for (int i = 0; i < rows; ++i)
    *reinterpret_cast<float2*>(spectrum + (lane + 32 * i) * kWarpStride + 2 * warp) = values[i];
  __syncthreads();
  raise_spectrum(task, spectrum, rows * 32 * kWarpStride);
  sum_segments<kWarpFrames, kWarpStride>(task, spectrum, rising, falling);
  __syncthreads();
  store_bands<kWarpFrames>(task, clip_index, first, count, rising, falling);
}

}  // namespace seda::audio::detail
