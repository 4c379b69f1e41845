// SPDX-License-Identifier: Apache-2.0
#include "seda/base/error.h"
#include "seda/train/engine/kernel_recorder.h"

namespace seda::train {

KernelRecorder::KernelRecorder() {
  throw_error(ErrorKind::unavailable, "kernels cannot be recorded: this build has no CUDA");
}
KernelRecorder::~KernelRecorder() = default;

std::vector<KernelSpan> KernelRecorder::take(device::Device /*device*/) {
  return {};
}

}  // namespace seda::train
