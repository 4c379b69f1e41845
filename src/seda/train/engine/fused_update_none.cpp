// SPDX-License-Identifier: Apache-2.0
#include "seda/device/no_cuda.h"
#include "seda/train/engine/fused_update.h"

namespace seda::train {

torch::Tensor fused_update(const FusedUpdateTensors& /*tensors*/,
                           const OptimizerOptions& /*options*/) {
  device::throw_no_cuda("the fused update");
}

}  // namespace seda::train
