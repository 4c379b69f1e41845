// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/model/detail/eight_cuda.h"
#include "seda/model/detail/norm_task.h"

/// What the kernels of norm.cu and norm_backward.cu share. For nvcc alone.
namespace seda::model::detail {

constexpr int kWarp = 32;
constexpr int kWarpChannels = kWarp * kEight;

/// Known to every thread of the warp.
__device__ inline float sum_over_warp(float value) {
  constexpr unsigned kAll = 0xffffffffU;
#pragma unroll
  for (int offset = kWarp / 2; offset > 0; offset /= 2)
    value += __shfl_xor_sync(kAll, value, offset);
  return value;
}

/// Times the numbers of Noise::keep.
__device__ inline void multiply_by_keep(const NormTask& task, int row, int t, int channel,
                                        Eight& eight) {
  const auto batch = static_cast<uint64_t>(*task.keep.batch);
  const int64_t first = (static_cast<int64_t>(t) * task.channels + channel) / kNoiseGroup;
#pragma unroll
  for (int i = 0; i < kEight; ++i) {
    if (i % kNoiseGroup != 0) continue;
    const PhiloxCounter random = noise_words(task.keep, batch, row, first + i / kNoiseGroup);
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
