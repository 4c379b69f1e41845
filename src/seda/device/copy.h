// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "seda/device/location.h"
#include "seda/device/stream.h"

namespace seda::device {

/// Enqueues a copy between any two places: host and device, within a device, between devices.
///
/// `stream` is of one of the two devices, and of a GPU when either is one; else Error(internal).
/// Returns at once when every host end is page-locked; otherwise the host may wait for the copy. On
/// a CPU stream the copy is done on return. Both ends must live until the stream has passed it.
void copy(Location to, ConstLocation from, size_t bytes, StreamView stream);

/// Enqueues the setting of each byte. `to` is on the device of `stream`.
void fill(Location to, std::byte value, size_t bytes, StreamView stream);

}  // namespace seda::device
