// SPDX-License-Identifier: Apache-2.0
#include "seda/base/error.h"
#include "seda/model/detail/rotary_turn.h"

namespace seda::model::detail {

void turn_cuda(const RotaryTensors&, const RotaryTensors&, const RotaryTable&, double) {
  throw_error(ErrorKind::unavailable,
              "this build has no CUDA; build with a CUDA toolkit, or use the CPU");
}

}  // namespace seda::model::detail
