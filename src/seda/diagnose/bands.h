// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace seda::diagnose {

enum class Band { good, fair, poor };
std::string_view to_string(Band band);

/// Where a figure changes from good to fair and from fair to poor; smaller is better.
struct Bounds {
  double good = 0;  ///< Good below,
  double fair = 0;  ///< fair up to here.
};

// The same for every verb that shows the figure; docs/metrics.md.
constexpr Bounds kStallBounds{0.05, 0.10};           ///< Data stall, share of the time.
constexpr Bounds kVariationBounds{0.20, 0.50};       ///< Of step times, std / mean.
constexpr Bounds kBatchSecondsBounds{0.100, 0.200};  ///< At `kBandClips` clips.
constexpr Bounds kReadSecondsBounds{0.020, 0.050};   ///< Read of `kBandClips` clips from storage.
constexpr Bounds kPaddingBounds{0.10, 0.25};         ///< Padded frames of all.
constexpr Bounds kGpuIdleBounds{0.30, 0.50};         ///< 1 - GPU utilisation.
constexpr int kBandClips = 16;

constexpr Band band(double value, const Bounds& bounds) {
  if (value < bounds.good) return Band::good;
  return value <= bounds.fair ? Band::fair : Band::poor;
}

}  // namespace seda::diagnose
