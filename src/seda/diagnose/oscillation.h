// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace seda::diagnose {

/// A rhythm in a series.
struct Oscillation {
  bool found = false;
  double period = 0;   ///< Samples; of the strongest rhythm, whether it is significant or not.
  double p_value = 1;  ///< Chance of one as strong in noise, looking at every period.

  bool operator==(const Oscillation&) const = default;
};

/// Below this a series is too short to tell; a rhythm turns at least so often in it.
constexpr size_t kLeastSamples = 32;
constexpr size_t kLeastPeriods = 3;
/// A rhythm counts from this chance down.
constexpr double kSignificance = 0.01;

/// Looks for a rhythm in `series`, whose samples are evenly spaced.
///
/// Its distances from the median are clipped, so that no single sample makes a rhythm, and a
/// straight line is taken off. The spectrum is then compared with that of noise which is as
/// persistent as the series (AR(1)): a drift or a slow wander is none, however strong. Each period
/// is tried alone and with its overtones, which find a few slow steps among many; the chance is of
/// all tries together. n² operations, 1 ms for 1,000 samples.
Oscillation find_oscillation(std::span<const double> series);

}  // namespace seda::diagnose
