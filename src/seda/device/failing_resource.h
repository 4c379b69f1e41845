// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include "seda/device/memory_resource.h"

namespace seda::device {

struct FailingOptions {
  uint64_t fail_at = 0;  ///< The allocation that fails, counted from 1; 0: none.
  uint64_t fail_above_bytes = std::numeric_limits<uint64_t>::max();  ///< Larger ones always fail.

  bool operator==(const FailingOptions&) const = default;
};

/// Fails on purpose, with the Error(memory) of a device that has run out; for rehearsing failures.
class FailingResource final : public MemoryResource {
 public:
  FailingResource(MemoryResource& upstream, FailingOptions options)
      : upstream_(upstream), options_(options) {}

  Device device() const noexcept override { return upstream_.device(); }

 private:
  void* do_allocate(size_t bytes, StreamView stream) override;
  void do_deallocate(void* data, size_t bytes, StreamView stream) noexcept override;

  MemoryResource& upstream_;
  FailingOptions options_;
  std::atomic<uint64_t> allocations_{0};
};

}  // namespace seda::device
