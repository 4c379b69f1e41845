// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "seda/base/clock.h"
#include "seda/base/per_thread.h"

namespace seda::pipeline {

/// What a worker is doing.
enum class Activity { away, busy, blocked_in, blocked_out };

/// What the workers of one stage have done since it began, added up. What they are doing now counts
/// up to now.
struct StageStatistics {
  uint64_t count = 0;  ///< Items done.
  uint64_t bytes = 0;
  double busy_s = 0;
  double blocked_in_s = 0;   ///< Waiting for work: upstream is the bottleneck.
  double blocked_out_s = 0;  ///< Waiting for room: downstream is the bottleneck.
  int workers = 0;           ///< Threads that are not away now.

  double worker_s() const noexcept { return busy_s + blocked_in_s + blocked_out_s; }

  /// What happened since `earlier`, of the same stage; `workers` are those of now.
  StageStatistics since(const StageStatistics& earlier) const noexcept;
};

/// Counts for one stage, always on.
///
/// Thread-safe. A worker writes without a lock to memory of its own: a change of activity costs a
/// reading of the clock and a few stores. Worker threads may come and go; what they did stays.
/// `clock` outlives it.
class StageRecorder {
 public:
  explicit StageRecorder(const Clock& clock) : clock_(clock) {}

  /// The calling thread is doing `activity` from now on. Returns what it did until now.
  Activity enter(Activity activity) { return cells_.local().enter(activity, clock_.now_ns()); }

  /// The calling thread has done so much.
  void add(uint64_t count, uint64_t bytes = 0) { cells_.local().add(count, bytes); }

  StageStatistics snapshot() const;

 private:
  static constexpr size_t kActivities = 4;

  /// What one thread writes and others read: a value whose version is odd while it changes.
  class Cell {
   public:
    Activity enter(Activity activity, int64_t now_ns);
    void add(uint64_t count, uint64_t bytes);
    void add_to(StageStatistics& sum, const Clock& clock) const;

   private:
    struct Times {
      std::array<int64_t, kActivities> ns;
      Activity activity;
      int64_t since_ns;
    };
    Times times() const;

    std::atomic<uint64_t> version_{0};
    std::array<std::atomic<int64_t>, kActivities> ns_{};
    std::atomic<Activity> activity_{Activity::away};
    std::atomic<int64_t> since_ns_{0};
    std::atomic<uint64_t> count_{0};
    std::atomic<uint64_t> bytes_{0};
  };

  const Clock& clock_;
  PerThread<Cell> cells_;
};

/// Says for its life what the calling thread does, then what it did before.
class ActivityScope {
 public:
  ActivityScope(StageRecorder& recorder, Activity activity)
      : recorder_(recorder), before_(recorder.enter(activity)) {}
  ~ActivityScope() { recorder_.enter(before_); }
  ActivityScope(const ActivityScope&) = delete;
  ActivityScope& operator=(const ActivityScope&) = delete;

 private:
  StageRecorder& recorder_;
  Activity before_;
};

}  // namespace seda::pipeline
