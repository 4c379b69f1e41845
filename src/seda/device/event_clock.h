// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "seda/device/stream.h"

namespace seda::device {

/// Places a device's events on the host's clock, for timelines.
class EventClock {
 public:
  /// For events of the device of `stream`. Waits once for what is in it, to set one clock by the
  /// other.
  explicit EventClock(StreamView stream);

  /// When `event` was passed, as `now_ns()`. It is recorded with timing, and done.
  int64_t time_ns(const Event& event) const;

 private:
  Event origin_;
  int64_t origin_ns_ = 0;
};

}  // namespace seda::device
