// SPDX-License-Identifier: Apache-2.0
#include "seda/base/error.h"
#include "seda/train/engine/gang_nccl.h"

namespace seda::train {

std::unique_ptr<Gang> make_nccl_gang(const Ranks& /*ranks*/, device::Device device) {
  throw_error(ErrorKind::unavailable, "{}: this build has no CUDA", to_string(device));
}

}  // namespace seda::train
