// SPDX-License-Identifier: Apache-2.0
#include "seda/device/no_cuda.h"
#include "seda/model/detail/real_neighbours.h"

namespace seda::model::detail {

torch::Tensor real_neighbours_cuda(const torch::Tensor&, const torch::Tensor&, int64_t) {
  device::throw_no_cuda("neighbours on a GPU");
}

}  // namespace seda::model::detail
