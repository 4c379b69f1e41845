// SPDX-License-Identifier: Apache-2.0
#include "seda/device/plain_resource.h"

#include "seda/device/detail/settle.h"
#include "seda/device/platform.h"

namespace seda::device {

PlainResource::PlainResource(const Platform& platform, Device device)
    : backend_(platform.backend(device)), device_(device) {}

void* PlainResource::do_allocate(size_t bytes, StreamView /*stream*/) {
  return backend_.allocate(device_.index, bytes);
}

void PlainResource::do_deallocate(void* data, size_t /*bytes*/, StreamView stream) noexcept {
  if (detail::settle(stream, "memory")) backend_.deallocate(device_.index, data);
}

}  // namespace seda::device
