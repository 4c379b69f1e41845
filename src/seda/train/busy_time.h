// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace seda::train {

/// One kernel on a GPU, by the GPU's clock.
struct KernelSpan {
  uint64_t begin_ns = 0;
  uint64_t end_ns = 0;
  const char* name = "";  ///< As the compiler wrote it; outlives the span.
};

/// All kernels of one name.
struct KernelTime {
  std::string name;  ///< As a person would write it, `short_kernel_name`.
  size_t count = 0;
  double seconds = 0;
};

/// How much of a stretch some kernel ran in.
struct BusyTime {
  double busy_s = 0;
  double seconds = 0;  ///< From the first kernel's begin to the last one's end.
  size_t kernels = 0;
  size_t steps = 0;                 ///< That they were of, where that is known.
  std::vector<KernelTime> by_name;  ///< Those that took longest first.

  double share() const { return seconds > 0 ? busy_s / seconds : 0; }
};

/// Without parameters, "void" and the names of torch's own spaces; at most 100 characters.
std::string short_kernel_name(const std::string& name);

/// The union of their times: kernels that overlap count once.
BusyTime busy_time(std::vector<KernelSpan> kernels);

}  // namespace seda::train
