// SPDX-License-Identifier: Apache-2.0
#include "seda/device/no_cuda.h"
#include "seda/model/detail/attend.h"

namespace seda::model::detail {

torch::Tensor attend_cuda(const torch::Tensor&, const AttendOptions&) {
  device::throw_no_cuda("attention on a GPU");
}

}  // namespace seda::model::detail
