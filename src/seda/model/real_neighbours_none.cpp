// SPDX-License-Identifier: Apache-2.0
#include "seda/base/error.h"
#include "seda/model/detail/real_neighbours.h"

namespace seda::model::detail {

torch::Tensor real_neighbours_cuda(const torch::Tensor&, const torch::Tensor&, int64_t) {
  throw_error(ErrorKind::unavailable,
              "this build has no CUDA; build with a CUDA toolkit, or use the CPU");
}

}  // namespace seda::model::detail
