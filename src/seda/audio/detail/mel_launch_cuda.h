// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

/// The mel kernels as plain functions: mel_launch.cu is compiled by nvcc and knows nothing else of
/// seda. Each `run_…` enqueues on the current device.
namespace seda::audio::detail {

constexpr int kBlockThreads = 256;
constexpr int kBlockWarps = kBlockThreads / 32;

/// What every mel kernel knows, passed by value. Pointers are the device's.
struct MelTask {
  const void* samples;
  const int64_t* offsets;
  const int32_t* lengths;
  int batch;
  void* output;
  int frames;  ///< Of a row of the output.
  float pad_value;
  bool is_pcm16;
  bool is_bfloat16;

  const float* window;          ///< [n_fft] Over 65536: steps of 16 bits, two frames in one.
  const float2* twiddles;       ///< [n_fft] exp(-2πj · i / n_fft).
  const float* window_columns;  ///< [8, 32, 4] Of the warp kernel: rows of 32, four interleaved.
  const float2* turn_columns;   ///< [16, 32, 2] exp(-2πj · lane · i / 1024), two i interleaved.
  const int4* groups;           ///< [group_count] Of the warp kernel (MelGroups).
  const int* group_bins;        ///< [group_count, 8]
  const float4* group_weights;  ///< [pairs, 8]
  int group_count;
  const int2* segments;   ///< [n_mels + 1] Bins of each segment (mel_segments.h).
  const float2* weights;  ///< [bins] Rising and falling.
  int n_fft;
  int hop_length;
  int padding;
  int n_mels;
  int bins;          ///< Of a spectrum that any band needs.
  float half_power;  ///< Exponent of |X|².
  float floor;
  float log2_scale;  ///< log(2) or log10(2): of a binary logarithm.
};

/// The passes of Stockham's transform.
struct Radices {
  static constexpr int kMost = 16;
  int count = 0;
  int at[kMost] = {};
};

/// Rows of frames that cuFFT transforms at a time, of all rows [clip, frame] of a batch.
struct RowRange {
  int64_t begin;
  int count;
  int rows_per_clip;  ///< A multiple of four.
};

/// Whether the kernel's shared memory suffices for what the task's tables say.
bool warp_kernel_can(const MelTask& task);
bool block_kernel_can(const MelTask& task);

/// Once before the first run on a device.
cudaError_t plan_warp(const MelTask& task);
cudaError_t plan_block(const MelTask& task);
cudaError_t plan_bands(const MelTask& task);

cudaError_t run_warp(const MelTask& task, cudaStream_t stream);
cudaError_t run_block(const MelTask& task, const Radices& radices, cudaStream_t stream);

/// Before and after cuFFT: windowed frames [count, n_fft] out, spectra [count, n_fft / 2 + 1] in.
cudaError_t run_frames(const MelTask& task, const RowRange& rows, float* frames,
                       cudaStream_t stream);
cudaError_t run_bands(const MelTask& task, const RowRange& rows, const float2* spectra,
                      cudaStream_t stream);

}  // namespace seda::audio::detail
