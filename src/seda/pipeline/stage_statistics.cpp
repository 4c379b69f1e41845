// SPDX-License-Identifier: Apache-2.0
#include "seda/pipeline/stage_statistics.h"

#include <algorithm>

namespace seda::pipeline {
namespace {

double seconds_of(const auto& ns, Activity activity) {
  return static_cast<double>(ns[static_cast<size_t>(activity)]) * 1e-9;
}

/// Adds to what only the calling thread writes; cheaper than an atomic addition.
template <typename Number>
void grow(std::atomic<Number>& value, Number by) {
  value.store(value.load(std::memory_order_relaxed) + by, std::memory_order_release);
}

}  // namespace

StageStatistics StageStatistics::since(const StageStatistics& earlier) const noexcept {
  return {.count = count - earlier.count,
          .bytes = bytes - earlier.bytes,
          .busy_s = busy_s - earlier.busy_s,
          .blocked_in_s = blocked_in_s - earlier.blocked_in_s,
          .blocked_out_s = blocked_out_s - earlier.blocked_out_s,
          .workers = workers};
}

StageStatistics StageRecorder::snapshot() const {
  StageStatistics sum;
  cells_.for_each([&](const Cell& cell) { cell.add_to(sum, clock_); });
  return sum;
}

Activity StageRecorder::Cell::enter(Activity activity, int64_t now_ns) {
  const Activity before = activity_.load(std::memory_order_relaxed);
  const int64_t passed = now_ns - since_ns_.load(std::memory_order_relaxed);
  const uint64_t version = version_.load(std::memory_order_relaxed);
  version_.store(version + 1, std::memory_order_relaxed);
  // Released, so that whoever reads one of the new values also sees the odd version.
  if (before != Activity::away) grow(ns_[static_cast<size_t>(before)], passed);
  activity_.store(activity, std::memory_order_release);
  since_ns_.store(now_ns, std::memory_order_release);
  version_.store(version + 2, std::memory_order_release);
  return before;
}

void StageRecorder::Cell::add(uint64_t count, uint64_t bytes) {
  grow(count_, count);
  grow(bytes_, bytes);
}

StageRecorder::Cell::Times StageRecorder::Cell::times() const {
  Times times{};
  uint64_t version = 0;
  do {
    version = version_.load(std::memory_order_acquire);
    for (size_t i = 0; i < kActivities; ++i)
      times.ns[i] = ns_[i].load(std::memory_order_acquire);
    times.activity = activity_.load(std::memory_order_acquire);
    times.since_ns = since_ns_.load(std::memory_order_acquire);
  } while (version % 2 != 0 || version_.load(std::memory_order_relaxed) != version);
  return times;
}

void StageRecorder::Cell::add_to(StageStatistics& sum, const Clock& clock) const {
  Times times = this->times();
  if (times.activity != Activity::away) {
    times.ns[static_cast<size_t>(times.activity)] +=
        std::max<int64_t>(0, clock.now_ns() - times.since_ns);
    ++sum.workers;
  }
  sum.busy_s += seconds_of(times.ns, Activity::busy);
  sum.blocked_in_s += seconds_of(times.ns, Activity::blocked_in);
  sum.blocked_out_s += seconds_of(times.ns, Activity::blocked_out);
  sum.count += count_.load(std::memory_order_acquire);
  sum.bytes += bytes_.load(std::memory_order_acquire);
}

}  // namespace seda::pipeline
