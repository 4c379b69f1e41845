// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "seda/device/memory_resource.h"

namespace seda::device {

struct MemoryStatistics {
  uint64_t current_bytes = 0;
  uint64_t peak_bytes = 0;   ///< Most at any time.
  uint64_t total_bytes = 0;  ///< Everything ever given.
  uint64_t allocations = 0;
  uint64_t deallocations = 0;
  uint64_t failures = 0;  ///< Allocations that threw.

  bool operator==(const MemoryStatistics&) const = default;
};

/// Counts what passes through. A few relaxed atomic additions a call.
class StatisticsResource final : public MemoryResource {
 public:
  explicit StatisticsResource(MemoryResource& upstream) : upstream_(upstream) {}

  Device device() const noexcept override { return upstream_.device(); }

  /// Each number is exact; together they may be of slightly different moments while others
  /// allocate.
  MemoryStatistics statistics() const noexcept;

 private:
  void* do_allocate(size_t bytes, StreamView stream) override;
  void do_deallocate(void* data, size_t bytes, StreamView stream) noexcept override;
  void raise_peak(uint64_t current) noexcept;

  MemoryResource& upstream_;
  std::atomic<uint64_t> current_{0};
  std::atomic<uint64_t> peak_{0};
  std::atomic<uint64_t> total_{0};
  std::atomic<uint64_t> allocations_{0};
  std::atomic<uint64_t> deallocations_{0};
  std::atomic<uint64_t> failures_{0};
};

}  // namespace seda::device
