// SPDX-License-Identifier: Apache-2.0
#include "seda/base/error.h"
#include "seda/train/engine/fused_update.h"

namespace seda::train {

torch::Tensor fused_update(const FusedUpdateTensors& /*tensors*/,
                           const OptimizerOptions& /*options*/) {
  throw_error(ErrorKind::unavailable,
              "this build has no CUDA; build with a CUDA toolkit, or use the CPU");
}

}  // namespace seda::train
