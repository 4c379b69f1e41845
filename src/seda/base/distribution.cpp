// SPDX-License-Identifier: Apache-2.0
#include "seda/base/distribution.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace seda {
namespace {

using Bucket = LogBuckets::Bucket;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// Sample of rank `rank`, from 0; those of a bucket are taken to lie evenly in it.
double order_statistic(std::span<const Bucket> buckets, uint64_t rank) {
  for (const Bucket& bucket : buckets) {
    if (rank < bucket.count) {
      const double share = (static_cast<double>(rank) + 0.5) / static_cast<double>(bucket.count);
      return std::lerp(bucket.low, bucket.high, share);
    }
    rank -= bucket.count;
  }
  return buckets.back().high;
}

double quantile_of(std::span<const Bucket> buckets, uint64_t count, double share) {
  const double position = std::clamp(share, 0.0, 1.0) * static_cast<double>(count - 1);
  const auto rank = static_cast<uint64_t>(position);
  const double below = order_statistic(buckets, rank);
  if (rank + 1 >= count) return below;
  const double above = order_statistic(buckets, rank + 1);
  return std::lerp(below, above, position - static_cast<double>(rank));
}

/// Samples from `low` to `high`, both included.
double count_within(std::span<const Bucket> buckets, double low, double high) {
  double total = 0;
  for (const Bucket& bucket : buckets) {
    const double from = std::max(low, bucket.low);
    const double to = std::min(high, bucket.high);
    if (from > to) continue;
    const double width = bucket.high - bucket.low;
    total += static_cast<double>(bucket.count) * (width > 0 ? (to - from) / width : 1);
  }
  return total;
}

/// Half the width of the interval around `center` that holds half of the samples.
double half_count_distance(std::span<const Bucket> buckets, uint64_t count, double center) {
  const double half = static_cast<double>(count) / 2;
  double near = 0;
  double far = std::max(center - buckets.front().low, buckets.back().high - center);
  for (int step = 0; step < 64; ++step) {
    const double middle = near + (far - near) / 2;
    (count_within(buckets, center - middle, center + middle) < half ? near : far) = middle;
  }
  return far;
}

std::vector<Bucket> as_buckets(std::vector<double> samples) {
  std::ranges::sort(samples);
  std::vector<Bucket> found;
  found.reserve(samples.size());
  for (const double sample : samples)
    found.push_back({sample, sample, 1});
  return found;
}

}  // namespace

void Distribution::add(double value) {
  ++count_;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
  if (count_ > kExactSamples) {
    if (exact()) give_up_exactness();
    buckets_.add(value);
  } else {
    samples_.push_back(value);
  }
}

void Distribution::give_up_exactness() {
  for (const double sample : samples_)
    buckets_.add(sample);
  samples_ = {};
}

double Distribution::min() const noexcept {
  return count_ == 0 ? kNothing : min_;
}

double Distribution::max() const noexcept {
  return count_ == 0 ? kNothing : max_;
}

std::vector<Bucket> Distribution::sorted() const {
  if (exact()) return as_buckets(samples_);
  std::vector<Bucket> found = buckets_.buckets();
  for (Bucket& bucket : found) {
    bucket.low = std::clamp(bucket.low, min_, max_);
    bucket.high = std::clamp(bucket.high, min_, max_);
  }
  return found;
}

double Distribution::quantile(double share) const {
  if (count_ == 0 || std::isnan(share)) return kNothing;
  if (share <= 0) return min_;
  if (share >= 1) return max_;
  return quantile_of(sorted(), count_, share);
}

double Distribution::median_absolute_deviation() const {
  if (count_ == 0) return kNothing;
  const std::vector<Bucket> buckets = sorted();
  const double median = quantile_of(buckets, count_, 0.5);
  if (!exact()) return half_count_distance(buckets, count_, median);
  std::vector<double> distances(samples_.size());
  std::ranges::transform(samples_, distances.begin(),
                         [median](double sample) { return std::abs(sample - median); });
  return quantile_of(as_buckets(std::move(distances)), count_, 0.5);
}

}  // namespace seda
