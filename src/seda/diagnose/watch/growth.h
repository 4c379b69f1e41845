// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace seda::diagnose {

/// A value at a time.
struct TimedValue {
  double seconds = 0;
  double value = 0;
};

/// How a series grows.
struct Growth {
  bool steady = false;    ///< It grows throughout, beyond noise.
  double per_second = 0;  ///< Median slope of all pairs (Theil–Sen).
  double total = 0;       ///< That slope over the whole time.
  double seconds = 0;
};

constexpr double kLeastGrowthSeconds = 20;
constexpr size_t kLeastGrowthSamples = 32;

/// Steady where the slope over all the time makes up `least_total` and 5 % of the median value, and
/// the slope of each of the last three quarters is at least a third of it: what rises and then
/// stays, as caches and pools do, is not. Shorter than the two constants: never.
///
/// `series` is in order of time. At most 30,000 pairs are looked at.
Growth find_growth(std::span<const TimedValue> series, double least_total);

}  // namespace seda::diagnose
