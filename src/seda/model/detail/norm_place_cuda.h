// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/model/detail/eight_cuda.h"
#include "seda/model/detail/norm_task.h"

/// What the kernels of norm.cu and norm_backward.cu share. A place is worked on by whole warps, a
/// thread on eight channels of it, so that all it needs stays in registers. Short rows share a
/// block. For nvcc alone.
namespace seda::model::detail {

constexpr int kWarp = 32;
constexpr int kWarpChannels = kWarp * kEight;
constexpr int kMostWarps = kNormMostChannels / kWarpChannels;
constexpr int kMostThreads = kMostWarps * kWarp;
constexpr int kSharedWarps = 4;  // of a block of several places
constexpr unsigned kAll = 0xffffffffU;

__host__ __device__ constexpr int warps_of(int channels) {
  return (channels + kWarpChannels - 1) / kWarpChannels;
}

/// Places that a block has at a time.
__host__ __device__ constexpr int groups_of(int channels) {
  const int groups = kSharedWarps / warps_of(channels);
  return groups > 1 ? groups : 1;
}

inline int threads_of(int channels) {
  return groups_of(channels) * warps_of(channels) * kWarp;
}

/// Where a thread stands.
struct Seat {
  int group;    // which of the block's places
  int channel;  // the first of eight
};

__device__ inline Seat seat_of(int channels) {
  const int threads = warps_of(channels) * kWarp;
  const int thread = static_cast<int>(threadIdx.x);
  return {thread / threads, thread % threads * kEight};
}

using Shared = float[kMostWarps];

/// Sums over the threads of a place, known to each of them. All threads of the block take part;
/// those of two calls in a row need two arrays.
template <int count>
__device__ void sum_over_place(float (&values)[count], int warps, Shared* shared) {
#pragma unroll
  for (int i = 0; i < count; ++i) {
#pragma unroll
    for (int offset = kWarp / 2; offset > 0; offset /= 2)
      values[i] += __shfl_xor_sync(kAll, values[i], offset);
  }
  if (warps == 1) return;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int first = warp / warps * warps;
  if (threadIdx.x % kWarp == 0) {
    for (int i = 0; i < count; ++i)
      shared[i][warp] = values[i];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < count; ++i) {
    values[i] = 0.0F;
    for (int k = 0; k < warps; ++k)
      values[i] += shared[i][first + k];
  }
}

/// Times the numbers of Noise::keep.
__device__ inline void multiply_by_keep(const NormTask& task, int row, int t, int channel,
                                        Eight& eight) {
  const auto update = static_cast<uint64_t>(*task.keep.update);
  const int64_t first = (static_cast<int64_t>(t) * task.channels + channel) / kNoiseGroup;
#pragma unroll
  for (int i = 0; i < kEight; ++i) {
    if (i % kNoiseGroup != 0) continue;
    const PhiloxCounter random = noise_words(task.keep, update, row, first + i / kNoiseGroup);
#pragma unroll
    for (int k = 0; k < kNoiseGroup; ++k) {
      const bool kept = noise_fraction(random.words[k]) < task.keep.keep;
      eight.values[i + k] *= kept ? 1.0F / task.keep.keep : 0.0F;
    }
  }
}

__device__ inline float normed(float value, float mean, float inverse) {
  return (value - mean) * inverse;
}

/// Of both directions, so that they agree on what ReLU cuts. NaN goes through it.
__device__ inline bool is_cut(float out) {
  return out <= 0.0F;
}

}  // namespace seda::model::detail
