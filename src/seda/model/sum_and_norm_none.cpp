// SPDX-License-Identifier: Apache-2.0
#include "seda/device/no_cuda.h"
#include "seda/model/detail/sum_and_norm.h"

namespace seda::model::detail {

SumAndNorm sum_and_norm(const SumAndNormInput&) {
  device::throw_no_cuda("sum and norm on a GPU");
}

}  // namespace seda::model::detail
