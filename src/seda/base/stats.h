// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "seda/base/distribution.h"

namespace seda {

/// Running statistics of a stream of numbers. A plain value, for one thread.
///
/// NaN, infinities and magnitudes over 1e140 (whose squares overflow) are left out. Of no samples,
/// all but the count is NaN.
class Statistics {
 public:
  /// About 10 ns.
  void add(double value);

  uint64_t count() const noexcept { return spread_.count(); }
  double mean() const noexcept;
  double std() const noexcept;        ///< Divides by n - 1; 0 of a single sample.
  double variation() const noexcept;  ///< std / mean; NaN where the mean is 0.
  double min() const noexcept { return spread_.min(); }
  double max() const noexcept { return spread_.max(); }

  /// Exact up to 1024 samples, then within 0.4 % (`Distribution`).
  double quantile(double share) const { return spread_.quantile(share); }
  double median() const { return spread_.quantile(0.5); }
  double median_absolute_deviation() const { return spread_.median_absolute_deviation(); }

 private:
  double mean_ = 0;
  double squares_ = 0;  // sum of squared distances from the mean
  Distribution spread_;
};

}  // namespace seda
