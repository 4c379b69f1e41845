// SPDX-License-Identifier: Apache-2.0
#include "seda/device/detail/occupy_gpu.h"
#include "seda/device/no_cuda.h"

namespace seda::device::detail {

void occupy_gpu(StreamView stream, double /*seconds*/) {
  throw_no_cuda(to_string(stream.device()) + " cannot be kept busy");
}

}  // namespace seda::device::detail
