// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace seda::model::detail {

constexpr int kRotaryVectorBytes = 16;  ///< What a thread reads at once.

/// How far apart, in elements, neighbours along each dimension are; channels are side by side.
struct RotaryStrides {
  int64_t batch;
  int64_t time;
  int64_t head;
};

/// Queries, keys or values.  // [batch, time, heads, head_size]
struct RotaryPart {
  const void* from;
  RotaryStrides from_strides;
  void* to;
  RotaryStrides to_strides;
};

/// Passed by value. Every pointer and stride is a whole number of vectors.
struct RotaryTask {
  RotaryPart parts[3];  ///< The first two are turned, the third is copied.
  int part_count;       ///< 2 or 3.
  const void* cosine;   ///< [time, head_size / 2], rows `cosine_stride` elements apart.
  const void* sine;     ///< Likewise.
  int64_t cosine_stride;
  int64_t sine_stride;
  float sign;  ///< 1 turns, -1 turns back.
  int batch;
  int time;
  int heads;
  int head_size;  ///< Twice a whole number of vectors.
  bool bf16;      ///< Of parts and tables; else fp32.
};

/// Turns the task's parts, enqueued on the current device: one kernel, without memory of its own.
cudaError_t run_rotary(const RotaryTask& task, cudaStream_t stream);

}  // namespace seda::model::detail
