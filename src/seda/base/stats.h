// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "seda/base/distribution.h"
#include "seda/base/mutex.h"
#include "seda/base/per_thread.h"

namespace seda {

/// Running statistics of a stream of numbers. A plain value, for one thread; `StatsRecorder` is its
/// twin for many.
///
/// NaN, infinities and magnitudes over 1e140 (whose squares overflow) are counted apart and change
/// nothing else. Of no samples, all but counts and sum is NaN.
class Statistics {
 public:
  /// About 10 ns.
  void add(double value);

  /// As if the other's samples had been added here.
  void merge(const Statistics& other);

  uint64_t count() const noexcept { return spread_.count(); }
  uint64_t not_finite() const noexcept { return not_finite_; }
  double sum() const noexcept { return sum_; }
  double mean() const noexcept;
  double std() const noexcept;        ///< Divides by n - 1; 0 of a single sample.
  double variation() const noexcept;  ///< std / mean; NaN where the mean is 0.
  double min() const noexcept { return spread_.min(); }
  double max() const noexcept { return spread_.max(); }

  /// Exact up to 1024 samples, then within 0.4 % (`Distribution`).
  double quantile(double share) const { return spread_.quantile(share); }
  double median() const { return spread_.quantile(0.5); }
  double median_absolute_deviation() const { return spread_.median_absolute_deviation(); }
  Histogram histogram(size_t n_bins) const { return spread_.histogram(n_bins); }

 private:
  double mean_ = 0;
  double squares_ = 0;  // sum of squared distances from the mean
  double sum_ = 0;
  uint64_t not_finite_ = 0;
  Distribution spread_;
};

/// Statistics fed by many threads at once.
///
/// Thread-safe. `add` writes only to memory of its own thread (about 15 ns; a few µs for a thread's
/// first, which allocates). Samples of threads that have ended stay. Threads may outlive the
/// recorder, but none may be inside `add` when it goes.
class StatsRecorder {
 public:
  void add(double value) { shards_.local().add(value); }

  /// All samples whose `add` has returned, and perhaps later ones. May hold up a feeding thread for
  /// the time it takes to copy that thread's statistics.
  Statistics snapshot() const;

 private:
  /// Samples of one thread: it leaves them in `waiting_` without a lock and folds them into
  /// `statistics_` when that is full.
  class Shard {
   public:
    void add(double value) {
      const size_t filled = filled_.load(std::memory_order_relaxed);
      waiting_[filled] = value;
      filled_.store(filled + 1, std::memory_order_release);
      if (filled + 1 == kWaiting) fold();
    }
    Statistics snapshot() const;

   private:
    static constexpr size_t kWaiting = 256;

    void fold();

    std::array<double, kWaiting> waiting_{};  // read by others below `filled_`, under `mutex_`
    std::atomic<size_t> filled_{0};           // falls only under `mutex_`
    mutable Mutex mutex_;
    Statistics statistics_ SEDA_GUARDED_BY(mutex_);
  };

  PerThread<Shard> shards_;
};

}  // namespace seda
