// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/audio/detail/mel_device.cuh"

/// Log-mel with n_fft 1024: a block makes 16 frames of a clip, each of its eight warps two.
///
/// Two real frames a and b are one complex signal a + jb, whose 1024 points are 32 rows of 32: a
/// thread transforms a column in registers, the warp exchanges rows for columns through shared
/// memory, and the thread turns and transforms again. Lane l then holds bins l, l + 32, l + 64, …;
/// the mirrored bins that tell a from b are in lane 32 - l.
namespace seda::audio::detail {

constexpr int kWarpFrames = 16;
constexpr int kWarpStride = kWarpFrames + 4;  // floats between bins: whole vectors, few conflicts
constexpr int kExchangeRow = 34;              // two more than a row: whole vectors, no conflicts
constexpr unsigned kAllLanes = 0xffffffffU;

/// Shared memory of a block: its samples, then the exchange, then the spectrum, in one place after
/// another; beside the last the sums.
struct WarpLayout {
  size_t spectrum_bytes;
  size_t bytes;

  __host__ __device__ static constexpr WarpLayout of(int hop_length, int n_mels, int rows) {
    const size_t samples = static_cast<size_t>((kWarpFrames - 1) * hop_length + 1024 + 128);
    const size_t exchange = kBlockThreads * kExchangeRow * sizeof(Complex);
    const size_t spectrum = static_cast<size_t>(rows * 32 * kWarpStride) * sizeof(float);
    const size_t sums = static_cast<size_t>(2 * (n_mels + 1) * kWarpFrames) * sizeof(float);
    size_t most = samples * sizeof(float);
    if (most < exchange) most = exchange;
    if (most < spectrum + sums) most = spectrum + sums;
    return {spectrum, most};
  }
};

/// Samples in rows of 32. With `grouped`, four rows are interleaved: a lane's four values of a
/// group are one vector.
template <bool grouped>
__device__ __forceinline__ int staged_at(int row, int lane) {
  return grouped ? (row / 4 * 32 + lane) * 4 + row % 4 : row * 32 + lane;
}

/// The samples of the block's frames, mirrored where they reach beyond the clip.
template <bool grouped>
__device__ __forceinline__ void stage_samples(const MelTask& task, const ClipView& clip, int first,
                                              float* staged) {
  const int lane = threadIdx.x % 32;
  const int groups = ((kWarpFrames - 1) * task.hop_length + 1024 + 127) / 128;
  const int begin = first * task.hop_length - task.padding;
  const bool inside = begin >= 0 && begin + groups * 128 <= clip.length;
  for (int group = threadIdx.x / 32; group < groups; group += kBlockThreads / 32) {
    float value[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int at = begin + (group * 4 + i) * 32 + lane;
      value[i] = clip[inside ? at : mirror(at, clip.length)];
    }
    if constexpr (grouped) {
      *reinterpret_cast<float4*>(staged + staged_at<true>(group * 4, lane)) = {value[0], value[1],
                                                                               value[2], value[3]};
    } else {
#pragma unroll
      for (int i = 0; i < 4; ++i)
        staged[staged_at<false>(group * 4 + i, lane)] = value[i];
    }
  }
}

/// Column `lane` of two windowed frames from `row` on, `hop_rows` rows apart, as sums and gaps of
/// values 16 rows apart.
template <int hop_rows>
__device__ __forceinline__ void load_column(const MelTask& task, const float* staged, int lane,
                                            Complex (&sums)[16], Complex (&gaps)[16]) {
  static_assert(hop_rows % 4 == 0);
  float column[32 + hop_rows];
#pragma unroll
  for (int i = 0; i < 32 + hop_rows; i += 4) {
    const auto four = *reinterpret_cast<const float4*>(staged + staged_at<true>(i, lane));
    column[i] = four.x;
    column[i + 1] = four.y;
    column[i + 2] = four.z;
    column[i + 3] = four.w;
  }
  const auto* const window = reinterpret_cast<const float4*>(task.window_columns) + lane;
#pragma unroll
  for (int i = 0; i < 16; i += 4) {
    const float4 near = window[i / 4 * 32];
    const float4 far = window[(i + 16) / 4 * 32];
    const float a[4] = {near.x, near.y, near.z, near.w};
    const float b[4] = {far.x, far.y, far.z, far.w};
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int row = i + j;
      const Complex x{column[row] * a[j], column[row + hop_rows] * a[j]};
      const Complex y{column[row + 16], column[row + 16 + hop_rows]};
      sums[row] = {fmaf(y.re, b[j], x.re), fmaf(y.im, b[j], x.im)};
      gaps[row] = {fmaf(-y.re, b[j], x.re), fmaf(-y.im, b[j], x.im)};
    }
  }
}

/// The same for frames any distance apart.
template <>
__device__ __forceinline__ void load_column<0>(const MelTask& task, const float* staged, int lane,
                                               Complex (&sums)[16], Complex (&gaps)[16]) {
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const float* const at = staged + i * 32 + lane;
    const float a = task.window[i * 32 + lane];
    const float b = task.window[(i + 16) * 32 + lane];
    const Complex x{at[0] * a, at[task.hop_length] * a};
    const Complex y{at[16 * 32], at[16 * 32 + task.hop_length]};
    sums[i] = {fmaf(y.re, b, x.re), fmaf(y.im, b, x.im)};
    gaps[i] = {fmaf(-y.re, b, x.re), fmaf(-y.im, b, x.im)};
  }
}

/// Rows for columns: lane l gets element l of every lane.
__device__ __forceinline__ void exchange(Complex* buffer, int lane, Complex (&x)[32]) {
#pragma unroll
  for (int i = 0; i < 32; ++i)
    buffer[i * kExchangeRow + lane] = x[i];
  __syncwarp();
#pragma unroll
  for (int i = 0; i < 32; i += 2) {
    const auto two = *reinterpret_cast<const float4*>(buffer + lane * kExchangeRow + i);
    x[i] = {two.x, two.y};
    x[i + 1] = {two.z, two.w};
  }
}

/// Sums and gaps of x[i] · exp(-2πj · lane · i / 1024) 16 places apart.
__device__ __forceinline__ void turn_column(const MelTask& task, int lane, const Complex (&x)[32],
                                            Complex (&sums)[16], Complex (&gaps)[16]) {
  const auto* const turns = reinterpret_cast<const float4*>(task.turn_columns) + lane;
#pragma unroll
  for (int i = 0; i < 16; i += 2) {
    const float4 near = turns[i / 2 * 32];
    const float4 far = turns[(i + 16) / 2 * 32];
    butterfly(x[i] * Complex{near.x, near.y}, x[i + 16], {far.x, far.y}, sums[i], gaps[i]);
    butterfly(x[i + 1] * Complex{near.z, near.w}, x[i + 17], {far.z, far.w}, sums[i + 1],
              gaps[i + 1]);
  }
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
__global__ void __launch_bounds__(kBlockThreads, 3) mel_warp_kernel(MelTask task) {
  extern __shared__ float4 shared[];
  const int clip_index = blockIdx.y;
  const int first = blockIdx.x * kWarpFrames;
  const ClipView clip = clip_view(task, clip_index);
  const int count = frame_count(task, clip.length);
  if (first >= count) {
    store_padding<kWarpFrames>(task, clip_index, first);
    return;
  }
  auto* const staged = reinterpret_cast<float*>(shared);
  stage_samples<(hop_rows > 0)>(task, clip, first, staged);
  __syncthreads();

  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  Complex sums[16];
  Complex gaps[16];
  Complex x[32];
  load_column<hop_rows>(task, staged + 2 * warp * task.hop_length, lane, sums, gaps);
  __syncthreads();  // the samples' place becomes the exchange's
  fft32(sums, gaps, x);
  exchange(reinterpret_cast<Complex*>(shared) + warp * 32 * kExchangeRow, lane, x);
  turn_column(task, lane, x, sums, gaps);
  fft32(sums, gaps, x);
  float2 values[rows];
  magnitudes<rows>(task, lane, x, values);

  __syncthreads();  // the exchange's place becomes the spectrum's
  auto* const spectrum = reinterpret_cast<float*>(shared);
#pragma unroll
  for (int i = 0; i < rows; ++i)
    *reinterpret_cast<float2*>(spectrum + (lane + 32 * i) * kWarpStride + 2 * warp) = values[i];
  __syncthreads();
  raise_spectrum(task, spectrum, rows * 32 * kWarpStride);
  const WarpLayout layout = WarpLayout::of(task.hop_length, task.n_mels, rows);
  float* const rising = spectrum + layout.spectrum_bytes / sizeof(float);
  float* const falling = rising + (task.n_mels + 1) * kWarpFrames;
  sum_segments<kWarpFrames, kWarpStride>(task, spectrum, rising, falling);
  __syncthreads();
  store_bands<kWarpFrames>(task, clip_index, first, count, rising, falling);
}

}  // namespace seda::audio::detail
