// SPDX-License-Identifier: Apache-2.0
#include "seda/device/statistics_resource.h"

namespace seda::device {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

}  // namespace

MemoryStatistics StatisticsResource::statistics() const noexcept {
  return {.current_bytes = current_.load(kRelaxed),
          .peak_bytes = peak_.load(kRelaxed),
          .total_bytes = total_.load(kRelaxed),
          .allocations = allocations_.load(kRelaxed),
          .deallocations = deallocations_.load(kRelaxed),
          .failures = failures_.load(kRelaxed)};
}

void* StatisticsResource::do_allocate(size_t bytes, StreamView stream) {
  void* data = nullptr;
  try {
    data = upstream_.allocate(bytes, stream);
  } catch (...) {
    failures_.fetch_add(1, kRelaxed);
    throw;
  }
  allocations_.fetch_add(1, kRelaxed);
  total_.fetch_add(bytes, kRelaxed);
  raise_peak(current_.fetch_add(bytes, kRelaxed) + bytes);
  return data;
}

void StatisticsResource::do_deallocate(void* data, size_t bytes, StreamView stream) noexcept {
  current_.fetch_sub(bytes, kRelaxed);
  deallocations_.fetch_add(1, kRelaxed);
  upstream_.deallocate(data, bytes, stream);
}

void StatisticsResource::raise_peak(uint64_t current) noexcept {
  uint64_t peak = peak_.load(kRelaxed);
  while (current > peak && !peak_.compare_exchange_weak(peak, current, kRelaxed)) {
  }
}

}  // namespace seda::device
