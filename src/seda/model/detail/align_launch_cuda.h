// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

/// The alignment kernels as plain functions: align.cu is compiled by nvcc and knows nothing else of
/// seda. They enqueue on the current device.
namespace seda::model::detail {

constexpr int kAlignStrip = 32;          ///< Frames of a tile, tokens of a warp, bits of a word.
constexpr int kAlignMostFrames = 12288;  ///< A row of sums in 48 KiB of shared memory.

/// What both kernels know, passed by value. Pointers are the device's.
struct AlignTask {
  const float* log_likelihood;   ///< [batch, tokens, frames]
  const int32_t* token_lengths;  ///< [batch]
  const int32_t* frame_lengths;  ///< [batch]
  int batch;
  int tokens;
  int frames;
  int32_t* durations;  ///< [batch, tokens]
  uint8_t* path;       ///< [batch, tokens, frames], may be null.
  uint8_t* status;     ///< [batch], may be null.
  uint32_t* advances;  ///< [batch, strips, tokens] Bit i: frame i of the strip came from above.
  int32_t* begins;     ///< [batch, tokens] First frame of each token.
};

inline size_t align_strips(int frames) {
  return (static_cast<size_t>(frames) + kAlignStrip - 1) / kAlignStrip;
}

/// Sums, decisions and durations: a block for each clip.
cudaError_t run_align(const AlignTask& task, cudaStream_t stream);

/// The path, from begins and durations.
cudaError_t run_align_path(const AlignTask& task, cudaStream_t stream);

}  // namespace seda::model::detail
