// SPDX-License-Identifier: Apache-2.0
#include "seda/device/no_cuda.h"
#include "seda/train/engine/rank_group_nccl.h"

namespace seda::train {

std::unique_ptr<RankGroup> make_nccl_rank_group(const Ranks& /*ranks*/, device::Device device) {
  device::throw_no_cuda("NCCL on " + to_string(device));
}

}  // namespace seda::train
