// SPDX-License-Identifier: Apache-2.0
// A warp has 256 columns of a place, a thread eight of them; the warps of a block share a tile of
// places. cuBLASLt can do both inside its products, but reads what it wrote several times over.
#include "seda/model/detail/bias_gradient_launch_cuda.h"
#include "seda/model/detail/partial_sum_cuda.h"

namespace seda::model::detail {
namespace {

constexpr int kWarp = 32;
constexpr int kBlockColumns = kWarp * kEight;
constexpr int kWarps = 4;
constexpr int kPlacesAtOnce = 4;  // on their way from memory together

/// The slope of GELU by its tanh approximation.
__device__ inline float gelu_slope(float x) {
  constexpr float kRoot = 0.7978845608F;  // of 2 / pi
  constexpr float kCubic = 0.044715F;
  const float square = x * x;
  const float inner = kRoot * x * fmaf(kCubic, square, 1.0F);
  const float tanh = 1.0F - __fdividef(2.0F, 1.0F + __expf(2.0F * inner));
  const float inner_slope = kRoot * fmaf(3.0F * kCubic, square, 1.0F);
  return 0.5F * (1.0F + tanh) + 0.5F * x * (1.0F - tanh * tanh) * inner_slope;
}

/// Up to kPlacesAtOnce places, kWarps apart.
template <typename Value, bool gelu>
__device__ void add_places(const BiasGradientTask& task, int64_t first, int64_t end, int column,
                           Eight& sum) {
  auto* const gradients = static_cast<Value*>(task.gradient) + column;
  const auto* const inners = static_cast<const Value*>(task.inner) + column;
  Packed<Value> gradient[kPlacesAtOnce] = {};
  Packed<Value> inner[kPlacesAtOnce] = {};
#pragma unroll
  for (int i = 0; i < kPlacesAtOnce; ++i) {
    const int64_t place = first + i * kWarps;
    if (place >= end) break;
    gradient[i] = load_packed(gradients + place * task.columns);
    if constexpr (gelu) inner[i] = load_packed(inners + place * task.columns);
  }
#pragma unroll
  for (int i = 0; i < kPlacesAtOnce; ++i) {
    const int64_t place = first + i * kWarps;
    if (place >= end) break;
    Eight value = unpacked(gradient[i]);
    if constexpr (gelu) {
      const Eight taken = unpacked(inner[i]);
#pragma unroll
      for (int k = 0; k < kEight; ++k)
        value.values[k] = rounded<Value>(value.values[k] * gelu_slope(taken.values[k]));
      store_eight(gradients + place * task.columns, value);
    }
    add_to(sum, value);
  }
}

template <typename Value, bool gelu>
__global__ void __launch_bounds__(kWarp* kWarps) bias_gradient_kernel(BiasGradientTask task) {
  __shared__ alignas(16) float shared[kWarps][kBlockColumns];
  const int warp = static_cast<int>(threadIdx.y);
  const int own = static_cast<int>(threadIdx.x) * kEight;
  const int column = static_cast<int>(blockIdx.y) * kBlockColumns + own;
  const bool works = column < task.columns;
  const int64_t begin = static_cast<int64_t>(blockIdx.x) * task.tile;
  const int64_t end = min(begin + task.tile, task.places);
  Eight sum = {};
  if (works) {
    for (int64_t first = begin + warp; first < end; first += kPlacesAtOnce * kWarps)
      add_places<Value, gelu>(task, first, end, column, sum);
  }
  store_eight(shared[warp] + own, sum);
  __syncthreads();
  if (warp > 0 || !works) return;
  for (int i = 1; i < kWarps; ++i)
    add_to(sum, load_eight(shared[i] + own));
  store_eight(task.partials + static_cast<int64_t>(blockIdx.x) * task.columns + column, sum);
}

template <typename Value>
__global__ void __launch_bounds__(kSumColumns* kSumRows) bias_sum_kernel(BiasGradientTask task) {
  const int column = sum_channel();
  sum_partials(task.partials + column, task.tiles, task.columns, column < task.columns,
               static_cast<Value*>(task.bias_gradient) + column);
}

template <typename Value>
cudaError_t run(const BiasGradientTask& task, cudaStream_t stream) {
  const int across = (task.columns + kBlockColumns - 1) / kBlockColumns;
  const dim3 blocks(static_cast<unsigned>(task.tiles), static_cast<unsigned>(across));
  auto* const kernel = task.inner != nullptr ? bias_gradient_kernel<Value, true>
                                             : bias_gradient_kernel<Value, false>;
  kernel<<<blocks, dim3(kWarp, kWarps), 0, stream>>>(task);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) return error;
  bias_sum_kernel<Value><<<sum_blocks(task.columns), sum_threads(task.tiles), 0, stream>>>(task);
  return cudaGetLastError();
}

}  // namespace

cudaError_t run_bias_gradient(const BiasGradientTask& task, cudaStream_t stream) {
  return task.bfloat16 ? run<__nv_bfloat16>(task, stream) : run<float>(task, stream);
}

}  // namespace seda::model::detail
