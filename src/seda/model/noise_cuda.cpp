// SPDX-License-Identifier: Apache-2.0
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "seda/device/check_cuda.h"
#include "seda/model/detail/noise_fill.h"
#include "seda/model/detail/noise_launch_cuda.h"

namespace seda::model::detail {

void fill_noise_cuda(const NoiseTask& task, int index) {
  const auto device = static_cast<c10::DeviceIndex>(index);
  const c10::cuda::CUDAGuard guard(device);
  device::check_cuda(run_noise(task, c10::cuda::getCurrentCUDAStream(device).stream()),
                     "noise kernel", index);
}

}  // namespace seda::model::detail
