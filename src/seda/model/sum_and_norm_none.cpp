// SPDX-License-Identifier: Apache-2.0
#include "seda/base/error.h"
#include "seda/model/detail/sum_and_norm.h"

namespace seda::model::detail {

SumAndNorm sum_and_norm(const SumAndNormInput&) {
  throw_error(ErrorKind::unavailable,
              "this build has no CUDA; build with a CUDA toolkit, or use the CPU");
}

}  // namespace seda::model::detail
