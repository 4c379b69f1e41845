// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/audio/detail/mel_device.cuh"

/// Log-mel with n_fft 1024: each warp transforms two frames, the eight of a block share the bands
/// of their sixteen.
///
/// Two real frames a and b are one complex signal a + jb, whose 1024 points are 32 rows of 32: a
/// thread transforms a column in registers, the warp exchanges rows for columns through shared
/// memory, and the thread turns and transforms again. Lane l then holds bins l, l + 32, l + 64, …;
/// the mirrored bins that tell a from b are in lane 32 - l.
namespace seda::audio::detail {

constexpr int kWarpFrames = 16;
constexpr int kExchangeRow = 34;  // two more than a row: whole vectors, no conflicts
constexpr unsigned kAllLanes = 0xffffffffU;

/// A warp's shared memory, in floats: samples at the edge of a clip, then the exchange, then the
/// spectrum. Four floats more than that needs set the warps' banks apart.
constexpr int kWarpRegion = 32 * kExchangeRow * 2 + 4;
constexpr size_t kWarpBytes = sizeof(float) * kWarpRegion * kBlockWarps;

/// A lane's column of two frames, in steps of 16 bits.
struct FrameColumns {
  float a[32];
  float b[32];
};

/// `at(i)` is sample i from the first of frame a. Frames `hop_rows` rows apart share the rest; 0:
/// any distance apart.
template <int hop_rows, typename At>
__device__ __forceinline__ void read_columns(const MelTask& task, int lane, At at,
                                             FrameColumns& columns) {
#pragma unroll
  for (int i = 0; i < 32; ++i)
    columns.a[i] = at(i * 32 + lane);
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    const bool shared = hop_rows > 0 && i + hop_rows < 32;
    columns.b[i] = shared ? columns.a[(i + hop_rows) % 32] : at(i * 32 + lane + task.hop_length);
  }
}

/// The same from the clip itself. Where the frames reach beyond it they are first put together in
/// `region`.
template <int hop_rows>
__device__ __forceinline__ void load_columns(const MelTask& task, const ClipView& clip, int first,
                                             int lane, float* region, FrameColumns& columns) {
  const int begin = first * task.hop_length - task.padding;
  const int count = 1024 + task.hop_length;
  if (begin < 0 || begin + count > clip.length) {
#pragma unroll 4
    for (int i = lane; i < count; i += 32)
      region[i] = clip[mirror(begin + i, clip.length)];
    __syncwarp();
    read_columns<hop_rows>(task, lane, [&](int i) { return region[i]; }, columns);
    __syncwarp();
  } else if (clip.is_pcm16) {
    const auto* const from = static_cast<const int16_t*>(clip.samples) + begin;
    read_columns<hop_rows>(task, lane, [&](int i) { return in_steps(from[i]); }, columns);
  } else {
    const auto* const from = static_cast<const float*>(clip.samples) + begin;
    read_columns<hop_rows>(task, lane, [&](int i) { return in_steps(from[i]); }, columns);
  }
}

/// Sums and gaps of windowed values 16 rows apart.
__device__ __forceinline__ void window_columns(const MelTask& task, int lane,
                                               const FrameColumns& columns, Complex (&sums)[16],
                                               Complex (&gaps)[16]) {
  const auto* const window = reinterpret_cast<const float4*>(task.window_columns) + lane;
#pragma unroll
  for (int i = 0; i < 16; i += 4) {
    const float4 near = window[i / 4 * 32];
    const float4 far = window[(i + 16) / 4 * 32];
    const float w[4] = {near.x, near.y, near.z, near.w};
    const float v[4] = {far.x, far.y, far.z, far.w};
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int row = i + j;
      const Complex x{columns.a[row] * w[j], columns.b[row] * w[j]};
      const Complex y{columns.a[row + 16], columns.b[row + 16]};
      sums[row] = {fmaf(y.re, v[j], x.re), fmaf(y.im, v[j], x.im)};
      gaps[row] = {fmaf(-y.re, v[j], x.re), fmaf(-y.im, v[j], x.im)};
    }
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

/// |X|^power of frames 2w and 2w + 1 at each bin, into the region of warp w.
template <int rows>
__device__ __forceinline__ void store_spectrum(const MelTask& task, int lane,
                                               const float2 (&values)[rows], float* region) {
#pragma unroll
  for (int i = 0; i < rows; ++i)
    reinterpret_cast<float2*>(region)[lane + 32 * i] = values[i];
  if (task.half_power == 0.5F || task.half_power == 1.0F) return;
#pragma unroll 1
  for (int i = 0; i < 2 * rows; ++i)
    region[2 * (lane + 32 * (i / 2)) + i % 2] =
        powf(region[2 * (lane + 32 * (i / 2)) + i % 2], task.half_power);
}

/// Where a lane stands in the making of bands: four frames of one of eight segments.
struct BandPlace {
  int quad;
  int segment;  // of its group
};

/// Four frames of the band that rises in the lane's segment; the last segment's lanes get none.
__device__ __forceinline__ float4 sum_band(const MelTask& task, const float* regions, int4 group,
                                           int first_bin, BandPlace place) {
  const auto* weights = task.group_weights + group.y + place.segment;
  const float* left = regions + 2 * place.quad * kWarpRegion + 2 * first_bin;
  float4 rising{};
  float4 falling{};
#pragma unroll 2
  for (int i = 0; i < group.z; ++i) {
    const float4 weight = weights[i * 8];
    const auto a = *reinterpret_cast<const float4*>(left + 4 * i);
    const auto b = *reinterpret_cast<const float4*>(left + 4 * i + kWarpRegion);
    const float4 even{a.x, a.y, b.x, b.y};
    const float4 odd{a.z, a.w, b.z, b.w};
    rising = fused_add(weight.z, odd, fused_add(weight.x, even, rising));
    falling = fused_add(weight.w, odd, fused_add(weight.y, even, falling));
  }
  constexpr int kQuads = kWarpFrames / 4;
  return {rising.x + __shfl_down_sync(kAllLanes, falling.x, kQuads),
          rising.y + __shfl_down_sync(kAllLanes, falling.y, kQuads),
          rising.z + __shfl_down_sync(kAllLanes, falling.z, kQuads),
          rising.w + __shfl_down_sync(kAllLanes, falling.w, kQuads)};
}

/// Writes four frames of a band from frame `t` on; what lies beyond the clip's is padding,
/// beyond the row nothing.
template <typename Out>
__device__ __forceinline__ void store_four(const MelTask& task, int64_t row, int t, int limit,
                                           float4 sum) {
  Out* const at = static_cast<Out*>(task.output) + row * task.frames + t;
  const float value[4] = {sum.x, sum.y, sum.z, sum.w};
  const int room = task.frames - t;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float out = has_frame(task, limit, t + i) ? compress(task, value[i]) : task.pad_value;
    if (i < room) put(at + i, out);
  }
}

/// What a lane does for one group of bands.
struct BandWork {
  int4 group;
  int first_bin;
};

__device__ __forceinline__ BandWork band_work(const MelTask& task, int index, BandPlace place) {
  if (index >= task.group_count) return {};
  return {task.groups[index], task.group_bins[index * 8 + place.segment]};
}

/// The bands of the block's frames. A warp makes seven at a time, from eight segments.
template <typename Out>
__device__ __forceinline__ void make_bands(const MelTask& task, int warp, BandPlace place,
                                           BandWork work, int first, int limit,
                                           const float* regions) {
  for (int i = warp; i < task.group_count; i += kBlockWarps) {
    const BandWork next = band_work(task, i + kBlockWarps, place);
    const float4 sum = sum_band(task, regions, work.group, work.first_bin, place);
    const int band = work.group.x + place.segment;
    if (place.segment < 7 && band < task.n_mels) {
      const int64_t row = static_cast<int64_t>(blockIdx.y) * task.n_mels + band;
      store_four<Out>(task, row, first + 4 * place.quad, limit, sum);
    }
    work = next;
  }
}

template <int rows, int hop_rows>
__global__ void __launch_bounds__(kBlockThreads, 3) mel_warp_kernel(MelTask task) {
  extern __shared__ float4 shared[];
  const int clip_index = blockIdx.y;
  const int first = blockIdx.x * kWarpFrames;
  const ClipView clip = clip_view(task, clip_index);
  const int limit = frame_limit(task, clip.length);
  if (!has_frame(task, limit, first)) {
    store_padding<kWarpFrames>(task, clip_index, first);
    return;
  }
  const int warp = __shfl_sync(kAllLanes, threadIdx.x / 32, 0);  // the same for all, and known so
  const int lane = threadIdx.x % 32;
  auto* const regions = reinterpret_cast<float*>(shared);
  float* const region = regions + warp * kWarpRegion;

  Complex sums[16];
  Complex gaps[16];
  Complex x[32];
  {
    FrameColumns columns;
    load_columns<hop_rows>(task, clip, first + 2 * warp, lane, region, columns);
    __syncwarp();
    window_columns(task, lane, columns, sums, gaps);
  }
  fft32(sums, gaps, x);
  exchange(reinterpret_cast<Complex*>(region), lane, x);
  turn_column(task, lane, x, sums, gaps);
  fft32(sums, gaps, x);
  float2 values[rows];
  magnitudes<rows>(task, lane, x, values);
  __syncwarp();  // the exchange's place becomes the spectrum's
  store_spectrum<rows>(task, lane, values, region);
  const BandPlace place{lane % 4, lane / 4};
  const BandWork work = band_work(task, warp, place);
  __syncthreads();
  if (task.is_bfloat16) {
    make_bands<__nv_bfloat16>(task, warp, place, work, first, limit, regions);
  } else {
    make_bands<float>(task, warp, place, work, first, limit, regions);
  }
}

}  // namespace seda::audio::detail
