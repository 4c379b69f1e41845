// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "seda/base/error.h"
#include "seda/device/memory_resource.h"

namespace seda::testing_support {

struct FailingOptions {
  uint64_t fail_at = 0;  ///< The allocation that fails, counted from 1; 0: none.
  uint64_t fail_above_bytes = std::numeric_limits<uint64_t>::max();  ///< Larger ones always fail.
};

/// Fails on purpose, with the Error(memory) of a device that has run out.
class FailingResource final : public device::MemoryResource {
 public:
  FailingResource(device::MemoryResource& upstream, FailingOptions options)
      : upstream_(upstream), options_(options) {}

  device::Device device() const noexcept override { return upstream_.device(); }

 private:
  void* do_allocate(size_t bytes, device::StreamView stream) override {
    const uint64_t number = allocations_.fetch_add(1) + 1;
    if (number == options_.fail_at || bytes > options_.fail_above_bytes)
      throw_error(ErrorKind::memory, "planted failure: allocation {}", number);
    return upstream_.allocate(bytes, stream);
  }
  void do_deallocate(void* data, size_t bytes, device::StreamView stream) noexcept override {
    upstream_.deallocate(data, bytes, stream);
  }

  device::MemoryResource& upstream_;
  FailingOptions options_;
  std::atomic<uint64_t> allocations_{0};
};

}  // namespace seda::testing_support
