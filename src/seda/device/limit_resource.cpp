// SPDX-License-Identifier: Apache-2.0
#include "seda/device/limit_resource.h"

#include <utility>

#include "seda/base/error.h"
#include "seda/base/units.h"

namespace seda::device {

LimitResource::LimitResource(MemoryResource& upstream, LimitOptions options)
    : upstream_(upstream), options_(std::move(options)) {}

void* LimitResource::do_allocate(size_t bytes, StreamView stream) {
  reserve(bytes);
  try {
    return upstream_.allocate(bytes, stream);
  } catch (...) {
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    throw;
  }
}

void LimitResource::do_deallocate(void* data, size_t bytes, StreamView stream) noexcept {
  upstream_.deallocate(data, bytes, stream);
  used_.fetch_sub(bytes, std::memory_order_relaxed);
}

void LimitResource::reserve(size_t bytes) {
  uint64_t used = used_.load(std::memory_order_relaxed);
  do {
    if (bytes > options_.limit_bytes || used > options_.limit_bytes - bytes) {
      throw_error(
          ErrorKind::memory, "memory of {} on {}: asked for {} with {} in use of a limit of {}{}{}",
          options_.role, to_string(device()), format_bytes(bytes), format_bytes(used),
          format_bytes(options_.limit_bytes), options_.hint.empty() ? "" : "; ", options_.hint);
    }
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
}

}  // namespace seda::device
