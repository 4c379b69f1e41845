// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "seda/model/detail/eight_cuda.h"

/// The second half of a sum over many places: first every block sums a tile of them and leaves a
/// row of partial sums, then a kernel sums these. Without atomics, so that a sum has the same bits
/// each time. For nvcc alone.
namespace seda::model::detail {

constexpr int kSumColumns = 32;
constexpr int kSumRows = 32;
constexpr int kFewPartials = 64;
constexpr int kFewSumRows = 8;

/// Threads of a block that sums that many partial sums: a column of them for each channel.
inline dim3 sum_threads(int64_t partials) {
  return dim3(kSumColumns, partials > kFewPartials ? kSumRows : kFewSumRows);
}

inline unsigned sum_blocks(int channels) {
  return static_cast<unsigned>((channels + kSumColumns - 1) / kSumColumns);
}

/// The channel of this thread's column.
__device__ inline int sum_channel() {
  return static_cast<int>(blockIdx.x) * kSumColumns + static_cast<int>(threadIdx.x);
}

/// Writes the sum of `count` numbers that lie `step` apart. All threads of the block take part;
/// those of columns without work do not read or write.
template <typename Value>
__device__ void sum_partials(const float* partials, int count, int64_t step, bool works,
                             Value* to) {
  __shared__ float shared[kSumRows][kSumColumns];
  float sum = 0.0F;
  if (works) {
#pragma unroll 4
    for (int i = static_cast<int>(threadIdx.y); i < count; i += static_cast<int>(blockDim.y))
      sum += partials[i * step];
  }
  shared[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y > 0 || !works) return;
  for (int i = 1; i < static_cast<int>(blockDim.y); ++i)
    sum += shared[i][threadIdx.x];
  store_one(to, sum);
}

}  // namespace seda::model::detail
