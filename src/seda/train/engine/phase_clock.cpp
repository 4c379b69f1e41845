// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/phase_clock.h"

#include "seda/base/clock.h"

namespace seda::train {

void PhaseClock::mark(model::Phase phase, bool ends_step) {
  marks_.push_back({.phase = phase,
                    .ends_step = ends_step,
                    .host_ns = now_ns(),
                    .event = device::Event(stream_, device::EventTiming::on)});
  marks_.back().event.record(stream_);
}

void PhaseClock::begin(model::Phase phase) {
  mark(phase, false);
}

void PhaseClock::end_step() {
  mark(model::Phase::forward, true);
}

std::vector<PhaseTimes> PhaseClock::take() {
  if (!marks_.empty()) marks_.back().event.synchronize();
  std::vector<PhaseTimes> steps;
  PhaseTimes step;
  for (size_t i = 0; i < marks_.size(); ++i) {
    const Mark& from = marks_[i];
    if (from.ends_step) {
      steps.push_back(step);
      step = {};
    } else if (i + 1 < marks_.size()) {
      const Mark& to = marks_[i + 1];
      const auto phase = static_cast<size_t>(from.phase);
      step.device_s[phase] += 1e-3 * device::elapsed_ms(from.event, to.event);
      step.host_s[phase] += 1e-9 * static_cast<double>(to.host_ns - from.host_ns);
    }
  }
  marks_.clear();
  return steps;
}

}  // namespace seda::train
