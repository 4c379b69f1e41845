// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "seda/device/device.h"
#include "seda/train/busy_time.h"

namespace seda::train {

/// While it lives, kernels of this process are recorded; one at a time.
///
/// Steps are a little slower meanwhile. Where the machine has no CUPTI, or another profiler has it,
/// an Error(unavailable) says so.
class KernelRecorder {
 public:
  KernelRecorder();
  ~KernelRecorder();
  KernelRecorder(const KernelRecorder&) = delete;
  KernelRecorder& operator=(const KernelRecorder&) = delete;

  /// Those of a GPU that have ended; the caller has waited for them.
  std::vector<KernelSpan> take(device::Device device);
};

}  // namespace seda::train
