// SPDX-License-Identifier: Apache-2.0
// A block for each place, a thread for eight channels at a time.
#include "seda/model/detail/eight_cuda.h"
#include "seda/model/detail/neighbours_launch_cuda.h"

namespace seda::model::detail {
namespace {

constexpr int kThreads = 128;

template <typename Value>
__global__ void __launch_bounds__(kThreads) gather_kernel(NeighboursTask task) {
  const auto place = static_cast<int64_t>(blockIdx.x);
  const int row = static_cast<int>(place / task.time);
  const int t = static_cast<int>(place % task.time);
  const int end = min(task.time, task.lengths[row]);
  const int width = task.kernel * task.channels;
  const auto* const from = static_cast<const Value*>(task.from);
  auto* const to = static_cast<Value*>(task.to) + place * width;
  for (int i = static_cast<int>(threadIdx.x) * kEight; i < width; i += kThreads * kEight) {
    const int shift = i / task.channels - task.kernel / 2;
    const bool real = t + shift >= 0 && t + shift < end;
    Eight value = {};
    if (real) value = load_eight(from + (place + shift) * task.channels + i % task.channels);
    store_eight(to + i, value);
  }
}

template <typename Value>
__device__ Eight spread_to(const NeighboursTask& task, int64_t place, int t, int channel) {
  const auto* const from = static_cast<const Value*>(task.from) + channel;
  Eight sum = {};
  for (int slot = 0; slot < task.kernel; ++slot) {
    const int shift = task.kernel / 2 - slot;  // to the place that has this one in its slot
    if (t + shift < 0 || t + shift >= task.time) continue;
    add_to(sum, load_eight(from + ((place + shift) * task.kernel + slot) * task.channels));
  }
  return sum;
}

template <typename Value>
__global__ void __launch_bounds__(kThreads) spread_kernel(NeighboursTask task) {
  const auto place = static_cast<int64_t>(blockIdx.x);
  const int row = static_cast<int>(place / task.time);
  const int t = static_cast<int>(place % task.time);
  const bool real = t < task.lengths[row];
  auto* const to = static_cast<Value*>(task.to) + place * task.channels;
  for (int i = static_cast<int>(threadIdx.x) * kEight; i < task.channels; i += kThreads * kEight) {
    Eight sum = {};
    if (real) sum = spread_to<Value>(task, place, t, i);
    store_eight(to + i, sum);
  }
}

/// Whole warps, no more than there is work for.
int threads_for(int values) {
  const int needed = (values / kEight + 31) / 32 * 32;
  return needed < kThreads ? needed : kThreads;
}

}  // namespace

cudaError_t run_gather(const NeighboursTask& task, cudaStream_t stream) {
  const int places = task.batch * task.time;
  if (places == 0) return cudaSuccess;
  auto* const kernel = task.bfloat16 ? &gather_kernel<__nv_bfloat16> : &gather_kernel<float>;
  kernel<<<places, kThreads, 0, stream>>>(task);
  return cudaGetLastError();
}

cudaError_t run_spread(const NeighboursTask& task, cudaStream_t stream) {
  const int places = task.batch * task.time;
  if (places == 0) return cudaSuccess;
  auto* const kernel = task.bfloat16 ? &spread_kernel<__nv_bfloat16> : &spread_kernel<float>;
  kernel<<<places, threads_for(task.channels), 0, stream>>>(task);
  return cudaGetLastError();
}

}  // namespace seda::model::detail
