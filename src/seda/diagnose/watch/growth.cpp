// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/watch/growth.h"

#include <algorithm>
#include <vector>

namespace seda::diagnose {
namespace {

constexpr size_t kMostPoints = 240;
constexpr double kLeastShare = 0.05;  // of the median
constexpr size_t kQuarters = 4;

double median(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

double median_slope(std::span<const TimedValue> points) {
  std::vector<double> slopes;
  slopes.reserve(points.size() * points.size() / 2);
  for (size_t i = 0; i < points.size(); ++i) {
    for (size_t j = i + 1; j < points.size(); ++j) {
      const double seconds = points[j].seconds - points[i].seconds;
      if (seconds > 0) slopes.push_back((points[j].value - points[i].value) / seconds);
    }
  }
  return median(slopes);
}

double median_value(std::span<const TimedValue> points) {
  std::vector<double> values;
  values.reserve(points.size());
  for (const TimedValue& point : points)
    values.push_back(point.value);
  return median(values);
}

std::vector<TimedValue> thinned(std::span<const TimedValue> series) {
  const size_t step = (series.size() + kMostPoints - 1) / kMostPoints;
  std::vector<TimedValue> out;
  out.reserve(kMostPoints);
  for (size_t i = 0; i < series.size(); i += step)
    out.push_back(series[i]);
  return out;
}

bool grows_throughout(std::span<const TimedValue> points, double slope) {
  const size_t quarter = points.size() / kQuarters;
  for (size_t i = 1; i < kQuarters; ++i) {
    if (median_slope(points.subspan(i * quarter, quarter)) < slope / 3) return false;
  }
  return true;
}

}  // namespace

Growth find_growth(std::span<const TimedValue> series, double least_total) {
  Growth growth;
  if (series.empty()) return growth;
  growth.seconds = series.back().seconds - series.front().seconds;
  if (series.size() < kLeastGrowthSamples || growth.seconds < kLeastGrowthSeconds) return growth;
  const std::vector<TimedValue> points = thinned(series);
  growth.per_second = median_slope(points);
  growth.total = growth.per_second * growth.seconds;
  growth.steady = growth.total >= least_total &&
                  growth.total >= kLeastShare * median_value(points) &&
                  grows_throughout(points, growth.per_second);
  return growth;
}

}  // namespace seda::diagnose
