// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "seda/device/detail/nvml.h"
#include "seda/device/monitor.h"

namespace seda::device::nvml {

/// Activity counters of one GPU (NVML's GPM): the difference of two samples. Not thread-safe.
class ActivityCounters {
 public:
  ActivityCounters(const Functions& functions, Handle gpu);
  ~ActivityCounters();
  ActivityCounters(const ActivityCounters&) = delete;
  ActivityCounters& operator=(const ActivityCounters&) = delete;

  bool supported() const noexcept { return before_ != nullptr && after_ != nullptr; }

  /// Over the time since the last difference. The chip renews its counters every 100 ms: asked
  /// sooner, it repeats the last answer. nullopt until there are two samples.
  std::optional<GpuActivity> read(int64_t now_ns);

 private:
  bool take(Sample sample) const;
  std::optional<GpuActivity> difference() const;

  const Functions& nvml_;
  Handle gpu_;
  Sample before_ = nullptr;
  Sample after_ = nullptr;
  std::optional<int64_t> taken_ns_;  ///< When `before_` was taken.
  std::optional<GpuActivity> last_;
};

}  // namespace seda::device::nvml
