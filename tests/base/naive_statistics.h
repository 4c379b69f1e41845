// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

/// Statistics as a textbook defines them: sorted copies and two passes.
namespace seda::naive {

inline double mean(const std::vector<double>& samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

inline double standard_deviation(const std::vector<double>& samples) {
  const double center = mean(samples);
  double squares = 0;
  for (const double sample : samples)
    squares += (sample - center) * (sample - center);
  return std::sqrt(squares / static_cast<double>(samples.size() - 1));
}

inline double quantile(std::vector<double> samples, double share) {
  std::ranges::sort(samples);
  const double position = share * static_cast<double>(samples.size() - 1);
  const auto rank = static_cast<size_t>(position);
  if (rank + 1 == samples.size()) return samples.back();
  const double fraction = position - static_cast<double>(rank);
  return samples[rank] + fraction * (samples[rank + 1] - samples[rank]);
}

inline double median_absolute_deviation(std::vector<double> samples) {
  const double median = quantile(samples, 0.5);
  for (double& sample : samples)
    sample = std::abs(sample - median);
  return quantile(samples, 0.5);
}

}  // namespace seda::naive
