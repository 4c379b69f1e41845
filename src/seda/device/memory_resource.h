// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "seda/device/stream.h"

namespace seda::device {

/// Where buffers get their memory. Resources stack: a limit over the plain device.
///
/// Thread-safe. Stream-ordered: memory given on a stream may be used by work enqueued there from
/// then on, and is given back once the work enqueued there before has run; no one waits for
/// another stream unless memory moves between them. Host memory may in addition be used by the
/// calling thread at once. A resource outlives what it gave, and does not own the one below it.
class MemoryResource {
 public:
  MemoryResource() = default;
  virtual ~MemoryResource() = default;
  MemoryResource(const MemoryResource&) = delete;
  MemoryResource& operator=(const MemoryResource&) = delete;

  /// Memory aligned to `kAlignment`; nullptr for 0 bytes. Error(memory) when there is none left,
  /// after which the resource works on.
  void* allocate(size_t bytes, StreamView stream) {
    return bytes == 0 ? nullptr : do_allocate(bytes, stream);
  }

  /// Takes back what `allocate` gave for the same number of bytes, on any stream whose earlier work
  /// was the last to use it.
  void deallocate(void* data, size_t bytes, StreamView stream) noexcept {
    if (data != nullptr) do_deallocate(data, bytes, stream);
  }

  /// Whose memory it is: the CPU's for page-locked memory.
  virtual Device device() const noexcept = 0;

 private:
  virtual void* do_allocate(size_t bytes, StreamView stream) = 0;
  virtual void do_deallocate(void* data, size_t bytes, StreamView stream) noexcept = 0;
};

}  // namespace seda::device
