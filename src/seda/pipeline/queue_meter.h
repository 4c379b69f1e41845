// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "seda/base/clock.h"

namespace seda::pipeline {

/// What happened in a queue since it was made. Waits that are going on count up to now; those of
/// several threads add up.
struct QueueStatistics {
  uint64_t puts = 0;
  uint64_t gets = 0;
  double blocked_put_s = 0;        ///< Producers waited: downstream is the bottleneck.
  double blocked_get_s = 0;        ///< Consumers waited: upstream is the bottleneck.
  size_t size = 0;                 ///< Items in it now.
  std::vector<double> seconds_at;  ///< Time spent holding 0, 1, … items.  // [capacity + 1]

  double seconds() const;         ///< Of all.
  double mean_occupancy() const;  ///< Items held, averaged over time; 0 before any has passed.
  double empty_share() const;     ///< Of the time; 0 before any has passed.
  double full_share() const;

  /// What happened since `earlier`, of the same queue.
  QueueStatistics since(const QueueStatistics& earlier) const;
};

/// Counts for a queue, under its lock.
///
/// Not thread-safe. Each call reads the clock once and allocates nothing. `clock` outlives it.
class QueueMeter {
 public:
  QueueMeter(size_t capacity, const Clock& clock);

  void put();
  void get();
  void begin_put_wait();
  void end_put_wait();
  void begin_get_wait();
  void end_get_wait();

  QueueStatistics statistics();

 private:
  void pass_time();

  const Clock& clock_;
  int64_t last_ns_;
  uint64_t puts_ = 0;
  uint64_t gets_ = 0;
  int64_t waiting_puts_ = 0;
  int64_t waiting_gets_ = 0;
  int64_t blocked_put_ns_ = 0;
  int64_t blocked_get_ns_ = 0;
  std::vector<int64_t> ns_at_;
};

}  // namespace seda::pipeline
