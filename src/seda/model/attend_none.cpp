// SPDX-License-Identifier: Apache-2.0
#include "seda/base/error.h"
#include "seda/model/detail/attend.h"

namespace seda::model::detail {

torch::Tensor attend_cuda(const torch::Tensor&, const AttendOptions&) {
  throw_error(ErrorKind::unavailable,
              "this build has no CUDA; build with a CUDA toolkit, or use the CPU");
}

}  // namespace seda::model::detail
