// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/device/stream.h"

namespace seda::device::detail {

/// Waits for the work of `stream` before memory it used is given back for good. False where that
/// failed: the log says so and names `what`, which the caller then keeps, since the device may
/// still use it.
bool settle(StreamView stream, const char* what) noexcept;

}  // namespace seda::device::detail
