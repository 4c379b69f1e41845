// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "seda/train/engine/torch_device.h"

namespace seda::train {
namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;

c10::DeviceIndex index_of(device::Device device) {
  return static_cast<c10::DeviceIndex>(device.index);
}

/// Makes sure that torch knows the device, since its allocator refuses questions before.
void start(device::Device device) {
  at::globalContext().lazyInitDevice(c10::DeviceType::CUDA);
  const c10::cuda::CUDAGuard guard(index_of(device));
}

uint64_t whole(int64_t bytes) {
  return static_cast<uint64_t>(std::max<int64_t>(bytes, 0));
}

}  // namespace

struct StreamScope::Guard {
  explicit Guard(c10::cuda::CUDAStream stream) : scope(stream) {}
  c10::cuda::CUDAStreamGuard scope;
};

StreamScope::StreamScope(device::StreamView stream) {
  if (stream.device().is_cpu()) return;
  start(stream.device());
  guard_ = std::make_unique<Guard>(c10::cuda::getStreamFromExternal(
      static_cast<cudaStream_t>(stream.native()), index_of(stream.device())));
}

StreamScope::~StreamScope() = default;

TorchMemory torch_memory(device::Device device) {
  if (device.is_cpu()) return {};
  start(device);
  const auto statistics = allocator::getDeviceStats(index_of(device));
  const auto& held = statistics.reserved_bytes[0];
  return {.held_bytes = whole(held.current),
          .used_bytes = whole(statistics.allocated_bytes[0].current),
          .peak_bytes = whole(held.peak)};
}

void forget_memory_peak(device::Device device) {
  if (device.is_cpu()) return;
  start(device);
  allocator::resetPeakStats(index_of(device));
}

void limit_torch_memory(device::Device device, uint64_t bytes) {
  if (device.is_cpu()) return;
  start(device);
  const c10::cuda::CUDAGuard guard(index_of(device));
  size_t free = 0;
  size_t total = 0;
  C10_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  const double share = bytes == 0 ? 1.0 : static_cast<double>(bytes) / static_cast<double>(total);
  allocator::setMemoryFraction(std::min(share, 1.0), index_of(device));
}

}  // namespace seda::train
