// SPDX-License-Identifier: Apache-2.0
#include "seda/device/no_cuda.h"
#include "seda/train/engine/kernel_recorder.h"

namespace seda::train {

KernelRecorder::KernelRecorder() {
  device::throw_no_cuda("kernels cannot be recorded");
}
KernelRecorder::~KernelRecorder() = default;

std::vector<KernelSpan> KernelRecorder::take(device::Device /*device*/) {
  return {};
}

}  // namespace seda::train
