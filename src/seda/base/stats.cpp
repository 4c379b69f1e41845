// SPDX-License-Identifier: Apache-2.0
#include "seda/base/stats.h"

#include <cmath>
#include <limits>

namespace seda {
namespace {

constexpr double kLargest = 1e140;
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void Statistics::add(double value) {
  if (!(std::abs(value) <= kLargest)) return;  // true for NaN
  spread_.add(value);
  const double before = value - mean_;
  mean_ += before / static_cast<double>(count());
  squares_ += before * (value - mean_);
}

double Statistics::mean() const noexcept {
  return count() == 0 ? kNothing : mean_;
}

double Statistics::std() const noexcept {
  if (count() == 0) return kNothing;
  if (count() == 1) return 0;
  return std::sqrt(squares_ / static_cast<double>(count() - 1));
}

double Statistics::variation() const noexcept {
  const double center = mean();
  return center == 0 ? kNothing : std() / center;
}

}  // namespace seda
