// SPDX-License-Identifier: Apache-2.0
#include "seda/base/stats.h"

#include <cmath>
#include <limits>
#include <span>

namespace seda {
namespace {

constexpr double kLargest = 1e140;
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void Statistics::add(double value) {
  if (!(std::abs(value) <= kLargest)) {  // true for NaN
    ++not_finite_;
    return;
  }
  spread_.add(value);
  sum_ += value;
  const double before = value - mean_;
  mean_ += before / static_cast<double>(count());
  squares_ += before * (value - mean_);
}

void Statistics::merge(const Statistics& other) {
  not_finite_ += other.not_finite_;
  if (other.count() == 0) return;
  const auto ours = static_cast<double>(count());
  const auto theirs = static_cast<double>(other.count());
  const double distance = other.mean_ - mean_;
  const double share = theirs / (ours + theirs);
  squares_ += other.squares_ + distance * distance * ours * share;
  mean_ += distance * share;
  sum_ += other.sum_;
  spread_.merge(other.spread_);
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

void StatsRecorder::Shard::fold() {
  const MutexLock lock(mutex_);
  filled_.store(0, std::memory_order_relaxed);  // first: holds also where memory runs out below
  for (const double value : waiting_)
    statistics_.add(value);
}

Statistics StatsRecorder::Shard::snapshot() const {
  const MutexLock lock(mutex_);
  Statistics copy = statistics_;
  const size_t filled = filled_.load(std::memory_order_acquire);
  for (const double value : std::span(waiting_).first(filled))
    copy.add(value);
  return copy;
}

Statistics StatsRecorder::snapshot() const {
  Statistics total;
  shards_.for_each([&total](const Shard& shard) { total.merge(shard.snapshot()); });
  return total;
}

}  // namespace seda
