// SPDX-License-Identifier: Apache-2.0
#include "seda/device/no_cuda.h"
#include "seda/model/detail/align_torch.h"

namespace seda::model::detail {

void align_torch_cuda(const AlignInput&, const AlignOutput&, device::Backend&, int) {
  device::throw_no_cuda("alignment on a GPU");
}

}  // namespace seda::model::detail
