// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "seda/train/engine/rank_group.h"

namespace seda::train {

/// Ranks on GPUs, one each, that sum with NCCL on a stream beside; may be captured in a CUDA graph.
/// Error(unavailable) in a build without CUDA.
std::unique_ptr<RankGroup> make_nccl_rank_group(const Ranks& ranks, device::Device device);

}  // namespace seda::train
