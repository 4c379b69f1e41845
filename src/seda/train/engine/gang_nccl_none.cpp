// SPDX-License-Identifier: Apache-2.0
#include "seda/device/no_cuda.h"
#include "seda/train/engine/gang_nccl.h"

namespace seda::train {

std::unique_ptr<Gang> make_nccl_gang(const Ranks& /*ranks*/, device::Device device) {
  device::throw_no_cuda("NCCL on " + to_string(device));
}

}  // namespace seda::train
