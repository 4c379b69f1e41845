// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/device/stream.h"

namespace seda::device::detail {

/// `occupy` for a stream of a GPU; `seconds` above 0.
void occupy_gpu(StreamView stream, double seconds);

}  // namespace seda::device::detail
