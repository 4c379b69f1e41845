// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>

#include "seda/device/buffer.h"
#include "seda/device/copy.h"

namespace seda::audio::detail {

/// A table in the memory of a GPU. Waits for the copy: `values` need not outlive the call.
template <typename T>
device::Buffer upload(std::span<const T> values, device::MemoryResource& resource,
                      device::StreamView stream) {
  device::Buffer out(std::max<size_t>(values.size_bytes(), 1), resource, stream);
  device::copy(out.location(), device::on_host(values.data()), values.size_bytes(), stream);
  stream.synchronize();
  return out;
}

}  // namespace seda::audio::detail
