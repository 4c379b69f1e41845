// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "seda/base/clock.h"

namespace seda::testing_support {

/// Moves only when told to. Thread-safe.
class ManualClock final : public Clock {
 public:
  int64_t now_ns() const noexcept override { return now_.load(std::memory_order_acquire); }
  void advance_ns(int64_t by) noexcept { now_.fetch_add(by, std::memory_order_acq_rel); }

 private:
  std::atomic<int64_t> now_{0};
};

}  // namespace seda::testing_support
