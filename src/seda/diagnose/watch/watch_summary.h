// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "seda/diagnose/oscillation.h"
#include "seda/diagnose/watch/growth.h"
#include "seda/diagnose/watch/watch_record.h"

namespace seda::diagnose {

// Thresholds of what is seen; docs/metrics.md gives them in one table.
constexpr double kWellFed = 0.70;    ///< GPU utilisation from which nothing is missing.
constexpr double kFirstBusy = 0.10;  ///< GPU utilisation that ends the warm-up.
constexpr double kMostWarmUp = 0.5;  ///< Share of the watch.
constexpr double kUsedShare = 0.05;  ///< Of samples with any kernel: the GPU is used.
constexpr double kDeepSwing = 0.40;  ///< Between the 10 % and 90 % quantile of utilisation.
constexpr double kLeastGrowthBytes = 64.0 * 1024 * 1024;

/// What one GPU did, after the warm-up.
struct GpuSummary {
  bool used = false;
  GpuPoint mean;
  double low_quantile = kUnknown;   ///< 10 % of the utilisation lies below,
  double high_quantile = kUnknown;  ///< 90 % below this.
  Growth memory;
};

/// A watch in the figures that its verdict is made of.
struct WatchSummary {
  size_t samples = 0;         ///< After the warm-up, as they were taken.
  double seconds = 0;         ///< After the warm-up.
  double warm_up_s = 0;       ///< Until a GPU was first busy; left out of all below.
  HostPoint host;             ///< Mean.
  std::optional<size_t> gpu;  ///< The busiest of those that were used; the verdict is about it.
  std::vector<GpuSummary> gpus;
  HostPoint starved_host;   ///< Mean over samples in which that GPU was below `kWellFed`.
  Oscillation oscillation;  ///< Of its utilisation, in the recent samples,
  double period_s = 0;      ///< its period in seconds.
  Growth resident;
};

/// Some milliseconds; a function of its argument alone.
WatchSummary summarize(const WatchRecord& record);

}  // namespace seda::diagnose
