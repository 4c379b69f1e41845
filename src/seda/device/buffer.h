// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "seda/device/location.h"
#include "seda/device/memory_resource.h"
#include "seda/device/stream.h"

namespace seda::device {

/// Owns bytes of a memory resource; empty by default and after a move.
///
/// The bytes are not set to anything. They go back on the stream they were taken on: it and the
/// resource outlive the buffer.
class Buffer {
 public:
  Buffer() = default;
  Buffer(size_t bytes, MemoryResource& resource, StreamView stream)
      : data_(resource.allocate(bytes, stream)),
        bytes_(bytes),
        resource_(&resource),
        stream_(stream) {}
  ~Buffer() { reset(); }
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;

  void* data() const noexcept { return data_; }
  size_t bytes() const noexcept { return bytes_; }
  bool empty() const noexcept { return bytes_ == 0; }
  Device device() const noexcept { return resource_ == nullptr ? kCpu : resource_->device(); }

  /// The place `offset` bytes in, for `copy` and `fill`.
  Location location(size_t offset = 0) const noexcept {
    return {.data = static_cast<std::byte*>(data_) + offset, .device = device()};
  }

  /// As many whole elements as fit. Only code on `device()` may touch them.
  template <typename T>
  std::span<T> as() const noexcept {
    return {static_cast<T*>(data_), bytes_ / sizeof(T)};
  }

  /// Gives the bytes back now.
  void reset() noexcept;

 private:
  void* data_ = nullptr;
  size_t bytes_ = 0;
  MemoryResource* resource_ = nullptr;
  StreamView stream_;
};

}  // namespace seda::device
