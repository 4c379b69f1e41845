// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "seda/base/mutex.h"
#include "seda/base/trace.h"
#include "seda/device/event_clock.h"
#include "seda/device/stream.h"
#include "seda/pipeline/stage_statistics.h"

namespace seda::feed {

/// Times what a stage enqueues on a stream, by events, and never waits for it.
///
/// One thread brackets work by `begin` and `end`; any may ask for statistics. What is still under
/// way when its events are needed again is counted as the average of the rest. On a CPU stream the
/// time between the calls counts. With a trace, each piece of work is a span of a track of its own.
class DeviceMeter {
 public:
  /// `name` is a literal. Waits once for the stream, to set the device's clock by the host's.
  DeviceMeter(const char* name, device::StreamView stream, TraceRecorder* trace);

  void begin();
  void end(uint64_t bytes);

  /// Count, bytes and busy time of the device, so far as it is known.
  pipeline::StageStatistics statistics();

 private:
  static constexpr size_t kPairs = 32;

  struct Pair {
    device::Event begin;
    device::Event end;
    bool pending = false;
  };

  void collect(Pair& pair) SEDA_REQUIRES(mutex_);

  const char* name_;
  device::StreamView stream_;
  TraceRecorder* trace_;
  TraceTrack track_;
  device::EventClock times_;
  Mutex mutex_;
  std::vector<Pair> pairs_ SEDA_GUARDED_BY(mutex_);
  size_t next_ SEDA_GUARDED_BY(mutex_) = 0;
  bool measuring_ SEDA_GUARDED_BY(mutex_) = false;
  uint64_t count_ SEDA_GUARDED_BY(mutex_) = 0;
  uint64_t bytes_ SEDA_GUARDED_BY(mutex_) = 0;
  uint64_t measured_ SEDA_GUARDED_BY(mutex_) = 0;
  double measured_s_ SEDA_GUARDED_BY(mutex_) = 0;
};

}  // namespace seda::feed
