// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace seda::train {

/// One kernel on a GPU, by the GPU's clock.
struct KernelSpan {
  uint64_t begin_ns = 0;
  uint64_t end_ns = 0;
};

/// How much of a stretch some kernel ran in.
struct BusyTime {
  double busy_s = 0;
  double seconds = 0;  ///< From the first kernel's begin to the last one's end.
  size_t kernels = 0;

  double share() const { return seconds > 0 ? busy_s / seconds : 0; }
};

/// The union of their times: kernels that overlap count once.
BusyTime busy_time(std::vector<KernelSpan> kernels);

}  // namespace seda::train
