// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include <cuda_runtime.h>

#include "seda/device/check_cuda.h"
#include "seda/device/detail/occupy_gpu.h"
#include "seda/device/device_guard_cuda.h"

namespace seda::device::detail {
namespace {

__device__ __forceinline__ uint64_t device_time_ns() {
  uint64_t time;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
  return time;
}

__global__ void spin_kernel(uint64_t nanoseconds) {
  const uint64_t begin = device_time_ns();
  while (device_time_ns() - begin < nanoseconds)
    __nanosleep(500);
}

}  // namespace

void occupy_gpu(StreamView stream, double seconds) {
  const int index = stream.device().index;
  const DeviceGuard guard(index);
  spin_kernel<<<1, 1, 0, static_cast<cudaStream_t>(stream.native())>>>(
      static_cast<uint64_t>(seconds * 1e9));
  check_cuda(cudaGetLastError(), "spin_kernel", index);
}

}  // namespace seda::device::detail
