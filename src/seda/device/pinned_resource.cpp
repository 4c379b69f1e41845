// SPDX-License-Identifier: Apache-2.0
#include "seda/device/pinned_resource.h"

#include "seda/device/detail/settle.h"
#include "seda/device/platform.h"

namespace seda::device {

PinnedResource::PinnedResource(const Platform& platform, Device for_device)
    : backend_(platform.backend(for_device)), index_(for_device.index) {}

void* PinnedResource::do_allocate(size_t bytes, StreamView /*stream*/) {
  return backend_.allocate_pinned(index_, bytes);
}

void PinnedResource::do_deallocate(void* data, size_t /*bytes*/, StreamView stream) noexcept {
  if (detail::settle(stream, "page-locked memory")) backend_.deallocate_pinned(index_, data);
}

}  // namespace seda::device
