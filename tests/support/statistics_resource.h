// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "seda/base/mutex.h"
#include "seda/device/memory_resource.h"

namespace seda::testing_support {

struct MemoryStatistics {
  uint64_t current_bytes = 0;
  uint64_t peak_bytes = 0;   ///< Most at any time.
  uint64_t total_bytes = 0;  ///< Everything ever given.
  uint64_t allocations = 0;
  uint64_t deallocations = 0;
  uint64_t failures = 0;  ///< Allocations that threw.

  bool operator==(const MemoryStatistics&) const = default;
};

/// Counts what passes through. Thread-safe.
class StatisticsResource final : public device::MemoryResource {
 public:
  explicit StatisticsResource(device::MemoryResource& upstream) : upstream_(upstream) {}

  device::Device device() const noexcept override { return upstream_.device(); }

  MemoryStatistics statistics() const {
    const MutexLock lock(mutex_);
    return statistics_;
  }

 private:
  void* do_allocate(size_t bytes, device::StreamView stream) override {
    void* data = nullptr;
    try {
      data = upstream_.allocate(bytes, stream);
    } catch (...) {
      const MutexLock lock(mutex_);
      ++statistics_.failures;
      throw;
    }
    const MutexLock lock(mutex_);
    ++statistics_.allocations;
    statistics_.total_bytes += bytes;
    statistics_.current_bytes += bytes;
    statistics_.peak_bytes = std::max(statistics_.peak_bytes, statistics_.current_bytes);
    return data;
  }

  void do_deallocate(void* data, size_t bytes, device::StreamView stream) noexcept override {
    {
      const MutexLock lock(mutex_);
      statistics_.current_bytes -= bytes;
      ++statistics_.deallocations;
    }
    upstream_.deallocate(data, bytes, stream);
  }

  device::MemoryResource& upstream_;
  mutable Mutex mutex_;
  MemoryStatistics statistics_ SEDA_GUARDED_BY(mutex_);
};

}  // namespace seda::testing_support
