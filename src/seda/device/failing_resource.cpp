// SPDX-License-Identifier: Apache-2.0
#include "seda/device/failing_resource.h"

#include "seda/base/error.h"
#include "seda/base/units.h"

namespace seda::device {

void* FailingResource::do_allocate(size_t bytes, StreamView stream) {
  const uint64_t number = allocations_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (number == options_.fail_at || bytes > options_.fail_above_bytes) {
    throw_error(ErrorKind::memory, "planted failure: allocation {} of {} on {}", number,
                format_bytes(bytes), to_string(device()));
  }
  return upstream_.allocate(bytes, stream);
}

void FailingResource::do_deallocate(void* data, size_t bytes, StreamView stream) noexcept {
  upstream_.deallocate(data, bytes, stream);
}

}  // namespace seda::device
