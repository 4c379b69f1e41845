// SPDX-License-Identifier: Apache-2.0
#include "seda/device/no_cuda.h"
#include "seda/model/detail/rotary_turn.h"

namespace seda::model::detail {

void turn_cuda(const RotaryTensors&, const RotaryTensors&, const RotaryTable&, double) {
  device::throw_no_cuda("rotary positions on a GPU");
}

}  // namespace seda::model::detail
