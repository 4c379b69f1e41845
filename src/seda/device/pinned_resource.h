// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/device/memory_resource.h"

namespace seda::device {

class Platform;

/// Page-locked host memory, which a GPU reads and writes without staging and without stopping the
/// host. Ordinary host memory where `for_device` is the CPU. Each call is slow (a system call for
/// every page): take it once.
class PinnedResource final : public MemoryResource {
 public:
  /// `for_device`: the GPU whose context locks the memory; every GPU may then use it.
  PinnedResource(const Platform& platform, Device for_device);

  Device device() const noexcept override { return kCpu; }

 private:
  void* do_allocate(size_t bytes, StreamView stream) override;
  void do_deallocate(void* data, size_t bytes, StreamView stream) noexcept override;

  Backend& backend_;
  int index_;
};

}  // namespace seda::device
