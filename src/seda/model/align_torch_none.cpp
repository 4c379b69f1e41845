// SPDX-License-Identifier: Apache-2.0
#include "seda/base/error.h"
#include "seda/model/detail/align_torch.h"

namespace seda::model::detail {

void align_torch_cuda(const AlignInput&, const AlignOutput&, device::Backend&, int) {
  throw_error(ErrorKind::unavailable,
              "this build has no CUDA; build with a CUDA toolkit, or use the CPU");
}

}  // namespace seda::model::detail
