// SPDX-License-Identifier: Apache-2.0
#include "seda/base/error.h"
#include "seda/device/detail/occupy_gpu.h"

namespace seda::device::detail {

void occupy_gpu(StreamView stream, double /*seconds*/) {
  throw_error(ErrorKind::unavailable,
              "{} cannot be kept busy: this build has no CUDA; build with a CUDA toolkit, or use "
              "the CPU",
              to_string(stream.device()));
}

}  // namespace seda::device::detail
