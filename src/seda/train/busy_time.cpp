// SPDX-License-Identifier: Apache-2.0
#include "seda/train/busy_time.h"

#include <algorithm>

namespace seda::train {

BusyTime busy_time(std::vector<KernelSpan> kernels) {
  if (kernels.empty()) return {};
  std::ranges::sort(kernels, {}, &KernelSpan::begin_ns);
  uint64_t busy_ns = 0;
  uint64_t end_ns = kernels.front().begin_ns;
  for (const KernelSpan& kernel : kernels) {
    if (kernel.end_ns <= end_ns) continue;
    busy_ns += kernel.end_ns - std::max(kernel.begin_ns, end_ns);
    end_ns = kernel.end_ns;
  }
  return {.busy_s = 1e-9 * static_cast<double>(busy_ns),
          .seconds = 1e-9 * static_cast<double>(end_ns - kernels.front().begin_ns),
          .kernels = kernels.size()};
}

}  // namespace seda::train
