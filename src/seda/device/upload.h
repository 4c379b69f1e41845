// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>

#include "seda/device/buffer.h"
#include "seda/device/copy.h"

namespace seda::device {

/// Values in the memory of a resource, at least one byte. Waits for the copy: `values` need not
/// outlive the call.
template <typename T>
Buffer upload(std::span<const T> values, MemoryResource& resource, StreamView stream) {
  Buffer out(std::max<size_t>(values.size_bytes(), 1), resource, stream);
  copy(out.location(), on_host(values.data()), values.size_bytes(), stream);
  stream.synchronize();
  return out;
}

}  // namespace seda::device
