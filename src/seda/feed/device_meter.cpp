// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/device_meter.h"

namespace seda::feed {

DeviceMeter::DeviceMeter(const char* name, device::StreamView stream, TraceRecorder* trace)
    : name_(name), stream_(stream), trace_(trace), times_(stream) {
  if (trace_ != nullptr) {
    track_ = trace_->add_track(to_string(stream.device()) + " " + name);
  }
  const MutexLock lock(mutex_);
  for (size_t i = 0; i < kPairs; ++i) {
    pairs_.push_back({device::Event(stream, device::EventTiming::on),
                      device::Event(stream, device::EventTiming::on)});
  }
}

void DeviceMeter::begin() {
  const MutexLock lock(mutex_);
  Pair& pair = pairs_[next_];
  if (pair.pending && pair.end.done()) collect(pair);
  measuring_ = !pair.pending;
  if (measuring_) pair.begin.record(stream_);
}

void DeviceMeter::end(uint64_t bytes) {
  const MutexLock lock(mutex_);
  ++count_;
  bytes_ += bytes;
  if (!measuring_) return;
  Pair& pair = pairs_[next_];
  pair.end.record(stream_);
  pair.pending = true;
  next_ = (next_ + 1) % kPairs;
}

void DeviceMeter::collect(Pair& pair) {
  const double ms = device::elapsed_ms(pair.begin, pair.end);
  pair.pending = false;
  ++measured_;
  measured_s_ += ms * 1e-3;
  if (trace_ == nullptr) return;
  trace_->span(name_, times_.time_ns(pair.begin), times_.time_ns(pair.end), track_);
}

pipeline::StageStatistics DeviceMeter::statistics() {
  const MutexLock lock(mutex_);
  for (Pair& pair : pairs_) {
    if (pair.pending && pair.end.done()) collect(pair);
  }
  pipeline::StageStatistics out;
  out.count = count_;
  out.bytes = bytes_;
  out.workers = 1;
  if (measured_ > 0) {
    out.busy_s = measured_s_ / static_cast<double>(measured_) * static_cast<double>(count_);
  }
  return out;
}

}  // namespace seda::feed
