// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "seda/base/trace.h"
#include "seda/device/event_clock.h"
#include "seda/device/stream.h"
#include "seda/diagnose/batch_times.h"

namespace seda::diagnose {

/// Times the steps of whoever takes batches, by events on its stream.
///
/// One thread. `ask` and `begin` only record; times are read once their events have passed.
class StepTimes {
 public:
  /// `trace` may be null; with one, steps and waits become spans of a row called `name`.
  StepTimes(device::StreamView stream, TraceRecorder* trace, const char* name);

  /// The stream is done with the step before, and a batch is asked for. Where none came, it is
  /// asked for again, or not.
  void ask();
  /// The batch is there; what is enqueued from here on is its step.
  void begin(uint32_t bucket, size_t clips);

  /// Reads what has passed, waiting only where more than `pending` steps have not.
  void read(size_t pending);

  /// Waits for all, and lets the next step begin anew: how long the one before it took, and what
  /// happened between, is not known.
  void pause();

  /// Forgets what was read; the next step still knows when the one before began.
  void forget();

  /// From the start of the step before to each one's own; the batch is the latter's.
  const std::vector<BatchTime>& batches() const noexcept { return batches_; }
  /// Its stream, free, waited for each.
  const std::vector<double>& waits_s() const noexcept { return waits_s_; }

 private:
  struct Step {
    device::Event asked;
    device::Event began;
    uint32_t bucket = 0;
    size_t clips = 0;
  };

  /// The row of a timeline.
  struct Timeline {
    TraceRecorder& trace;
    TraceTrack track;
    device::EventClock clock;

    void span(const char* name, const device::Event& begin, const device::Event& end) const {
      trace.span(name, clock.time_ns(begin), clock.time_ns(end), track);
    }
  };

  Step take_spare();
  void read_front();

  device::StreamView stream_;
  std::optional<Timeline> timeline_;
  std::optional<Step> asked_;  // and not begun
  std::deque<Step> pending_;
  std::optional<Step> last_;  // read, the one before the front
  std::vector<Step> spare_;
  std::vector<BatchTime> batches_;
  std::vector<double> waits_s_;
};

}  // namespace seda::diagnose
