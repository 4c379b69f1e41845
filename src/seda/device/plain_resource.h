// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/device/memory_resource.h"

namespace seda::device {

class Platform;

/// The device's own allocator, one call for each buffer. Slow on a GPU, where freeing waits for all
/// work of the device: for a few large buffers.
class PlainResource final : public MemoryResource {
 public:
  PlainResource(const Platform& platform, Device device);

  Device device() const noexcept override { return device_; }

 private:
  void* do_allocate(size_t bytes, StreamView stream) override;
  void do_deallocate(void* data, size_t bytes, StreamView stream) noexcept override;

  Backend& backend_;
  Device device_;
};

}  // namespace seda::device
