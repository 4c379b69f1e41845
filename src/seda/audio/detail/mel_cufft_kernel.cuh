// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/audio/detail/mel_block_kernel.cuh"

/// What stands before and after cuFFT: windowed frames out, bands of a spectrum in. Both see
/// `count` rows from row `begin` on of the batch's [clip, frame] rows; frames of a clip are rounded
/// up to fours.
namespace seda::audio::detail {

/// A clip's frame.
struct RowPlace {
  int clip;
  int frame;
};

__device__ __forceinline__ RowPlace place_of(const RowRange& rows, int row) {
  const int64_t at = rows.begin + row;
  return {static_cast<int>(at / rows.rows_per_clip), static_cast<int>(at % rows.rows_per_clip)};
}

/// [count, n_fft] windowed samples; a block for each row.
__global__ void __launch_bounds__(kBlockThreads)
    frame_kernel(MelTask task, RowRange rows, float* out) {
  const RowPlace place = place_of(rows, blockIdx.x);
  float* const row = out + static_cast<int64_t>(blockIdx.x) * task.n_fft;
  const bool outside = place.clip >= task.batch || task.lengths[place.clip] <= 0;
  const ClipView clip = outside ? ClipView{} : clip_view(task, place.clip);
  const int begin = place.frame * task.hop_length - task.padding;
  for (int i = threadIdx.x; i < task.n_fft; i += kBlockThreads)
    row[i] = outside ? 0.0F : clip[mirror(begin + i, clip.length)] * task.window[i] * 2.0F;
}

/// Bands of the [count, n_fft / 2 + 1] spectrum; a block for four rows, which are of one clip.
__global__ void __launch_bounds__(kBlockThreads)
    band_kernel(MelTask task, RowRange rows, const float2* spectra) {
  extern __shared__ float4 shared[];
  auto* const rising = reinterpret_cast<float*>(shared + task.bins);
  float* const falling = rising + (task.n_mels + 1) * kBlockFrames;
  const int row = blockIdx.x * kBlockFrames;
  const RowPlace place = place_of(rows, row);
  if (place.clip >= task.batch) return;
  const int width = task.n_fft / 2 + 1;
  for (int i = threadIdx.x; i < task.bins * kBlockFrames; i += kBlockThreads) {
    const int frame = i / task.bins;
    const int bin = i % task.bins;
    const float2 x = spectra[static_cast<int64_t>(row + frame) * width + bin];
    reinterpret_cast<float*>(shared + bin)[frame] = raise(x.x * x.x + x.y * x.y, task.half_power);
  }
  __syncthreads();
  sum_segments<kBlockFrames, kBlockFrames>(task, reinterpret_cast<const float*>(shared), rising,
                                           falling);
  __syncthreads();
  store_bands<kBlockFrames>(task, place.clip, place.frame,
                            frame_limit(task, task.lengths[place.clip]), rising, falling);
}

}  // namespace seda::audio::detail
