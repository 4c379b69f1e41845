// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/oscillation.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "seda/base/distribution.h"

namespace seda::diagnose {
namespace {

constexpr double kClip = 4;         // standard deviations of a normal series
constexpr size_t kMostUsed = 4096;  // samples, of a longer series the last
constexpr int kOvertones = 4;       // periods tried with so many harmonics, the fundamental counted
constexpr size_t kSteps = 2;        // frequencies tried for each that is independent

/// Distances from the median in robust standard deviations, clipped.
std::vector<double> clipped(std::span<const double> series) {
  Distribution spread;
  for (const double value : series)
    spread.add(value);
  const double middle = spread.quantile(0.5);
  double scale = 1.4826 * spread.median_absolute_deviation();
  if (scale == 0) scale = (spread.max() - spread.min()) / kClip;  // most samples are equal
  std::vector<double> out;
  if (scale == 0) return out;
  for (const double value : series)
    out.push_back(std::clamp((value - middle) / scale, -kClip, kClip));
  return out;
}

/// Takes off the straight line that fits best.
void detrend(std::span<double> series) {
  const auto n = static_cast<double>(series.size());
  double mean = 0;
  double slope = 0;
  for (size_t i = 0; i < series.size(); ++i) {
    mean += series[i] / n;
    slope += series[i] * (static_cast<double>(i) - (n - 1) / 2);
  }
  slope /= n * (n * n - 1) / 12;
  for (size_t i = 0; i < series.size(); ++i)
    series[i] -= mean + slope * (static_cast<double>(i) - (n - 1) / 2);
}

/// Of the neighbours, 0 to 1: how persistent the series is.
double persistence(std::span<const double> series, double squares) {
  double sum = 0;
  for (size_t i = 1; i < series.size(); ++i)
    sum += series[i] * series[i - 1];
  return std::clamp(sum / squares, 0.0, 0.99);
}

/// Power at `frequency` (turns a sample) in units of the mean power of a white series.
double power(std::span<const double> series, double frequency, double squares) {
  const double coefficient = 2 * std::cos(2 * std::numbers::pi * frequency);  // Goertzel
  double last = 0;
  double before = 0;
  for (const double value : series) {
    const double now = value + coefficient * last - before;
    before = last;
    last = now;
  }
  return (last * last + before * before - coefficient * last * before) / squares;
}

/// Power of AR(1) noise in the same units.
double noise_power(double persistence, double frequency) {
  return (1 - persistence * persistence) /
         (1 + persistence * persistence -
          2 * persistence * std::cos(2 * std::numbers::pi * frequency));
}

/// Chance that the sum of so many exponential variables of mean 1 exceeds `sum`.
double chance(int count, double sum) {
  double term = std::exp(-sum);
  double total = term;
  for (int i = 1; i < count; ++i)
    total += (term *= sum / i);
  return total;
}

/// Ratio of power to noise at each frequency that is tried; the step between two is
/// 1 / (kSteps * n).
std::vector<double> spectrum(std::span<const double> series) {
  double squares = 0;
  for (const double value : series)
    squares += value * value;
  const double red = persistence(series, squares);
  std::vector<double> out(kSteps * series.size() / 2 + 1);
  for (size_t k = 1; k < out.size(); ++k) {
    const double frequency = static_cast<double>(k) / static_cast<double>(kSteps * series.size());
    // At the highest frequency the variable has one degree of freedom and twice the mean.
    const double freedom = 2 * frequency == 1 ? 0.5 : 1;
    out[k] = freedom * power(series, frequency, squares) / noise_power(red, frequency);
  }
  return out;
}

/// The least likely of the fundamental `k` alone and with its overtones.
double chance_at(std::span<const double> ratios, size_t k) {
  double sum = 0;
  double least = 1;
  int count = 0;
  for (size_t harmonic = k; harmonic < ratios.size() && count < kOvertones; harmonic += k) {
    sum += ratios[harmonic];
    ++count;
    if (count == 1 || harmonic + k >= ratios.size() || count == kOvertones)
      least = std::min(least, chance(count, sum));
  }
  return least;
}

}  // namespace

Oscillation find_oscillation(std::span<const double> series) {
  series = series.last(std::min(series.size(), kMostUsed));
  Oscillation best;
  if (series.size() < kLeastSamples) return best;
  std::vector<double> values = clipped(series);
  if (values.empty()) return best;
  detrend(values);
  const std::vector<double> ratios = spectrum(values);
  for (size_t k = kSteps * kLeastPeriods; k < ratios.size(); ++k) {
    const double p = chance_at(ratios, k);
    if (p >= best.p_value) continue;
    best.p_value = p;
    best.period = static_cast<double>(kSteps * values.size()) / static_cast<double>(k);
  }
  // Each independent frequency alone, and with its overtones; those between count half.
  const double tries = 1.5 * static_cast<double>(values.size());
  best.p_value = std::min(1.0, best.p_value * tries);
  best.found = best.p_value <= kSignificance;
  return best;
}

}  // namespace seda::diagnose
