// SPDX-License-Identifier: Apache-2.0
#include "seda/device/event_clock.h"

#include "seda/base/clock.h"

namespace seda::device {

EventClock::EventClock(StreamView stream) : origin_(stream, EventTiming::on) {
  origin_.record(stream);
  origin_.synchronize();
  origin_ns_ = now_ns();
}

int64_t EventClock::time_ns(const Event& event) const {
  return origin_ns_ + static_cast<int64_t>(1e6 * elapsed_ms(origin_, event));
}

}  // namespace seda::device
