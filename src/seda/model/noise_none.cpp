// SPDX-License-Identifier: Apache-2.0
#include "seda/device/no_cuda.h"
#include "seda/model/detail/noise_fill.h"

namespace seda::model::detail {

void fill_noise_cuda(const NoiseTask&, int) {
  device::throw_no_cuda("noise on a GPU");
}

}  // namespace seda::model::detail
