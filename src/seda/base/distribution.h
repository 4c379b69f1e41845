// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "seda/base/log_buckets.h"

namespace seda {

/// How samples are spread: extremes and quantiles.
///
/// Exact up to `kExactSamples`. Beyond, only `LogBuckets` are kept: a quantile is then within 0.4 %
/// of the sample of that rank, negative ones included, and closer where samples lie evenly. A plain
/// value, for one thread. Asked of no samples, each answer is NaN.
class Distribution {
 public:
  static constexpr size_t kExactSamples = 1024;

  /// `value` must be finite.
  void add(double value);

  uint64_t count() const noexcept { return count_; }
  bool exact() const noexcept { return buckets_.empty(); }
  double min() const noexcept;
  double max() const noexcept;

  /// Value at `share`, 0 to 1, of the sorted samples; between two neighbours in proportion.
  double quantile(double share) const;

  /// Median distance from the median. Beyond `kExactSamples` it may be off by 0.4 % of itself and
  /// 0.8 % of the median.
  double median_absolute_deviation() const;

 private:
  using Bucket = LogBuckets::Bucket;

  /// The samples in rising order; exact ones as buckets without width.
  std::vector<Bucket> sorted() const;
  void give_up_exactness();

  uint64_t count_ = 0;
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
  std::vector<double> samples_;  // as they came; moved to buckets_ when there are too many
  LogBuckets buckets_;
};

}  // namespace seda
