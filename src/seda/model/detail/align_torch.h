// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/device/backend.h"
#include "seda/model/align.h"

namespace seda::model::detail {

/// AlignCuda on torch's current stream of GPU `index`, with its workspace from torch: it is used
/// again only by what comes later in that stream, in a captured graph too. Error(unavailable) in a
/// build without CUDA.
void align_torch_cuda(const AlignInput& input, const AlignOutput& output, device::Backend& backend,
                      int index);

}  // namespace seda::model::detail
