// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "seda/diagnose/oscillation.h"

namespace seda::diagnose {

/// How long one batch took, from the one before to this.
struct BatchTime {
  double seconds = 0;
  uint32_t bucket = 0;  ///< Its shape: batches of different shapes differ by design.
  size_t clips = 0;     ///< In it.
};

/// Batch times in a few numbers; seconds. Of no batch all are 0 or nothing.
struct BatchTimes {
  size_t batches = 0;
  double mean = 0;
  double std = 0;
  double min = 0;
  double max = 0;
  double median = 0;
  double p95 = 0;
  double p99 = 0;
  std::optional<double> variation;         ///< std / mean within a bucket, weighted by its batches,
  std::optional<double> robust_variation;  ///< and of 1.4826 · MAD / median, which few slow ones
                                           ///< leave as it is. Nothing where no bucket came twice.
  Oscillation oscillation;  ///< Of the times relative to their bucket's median: none is found
                            ///< where they vary by less than 2 %.
  double period_s = 0;      ///< Its period in seconds.
};

/// "5.7 % (good)", or why it was not measured.
std::string variation_text(const std::optional<double>& variation);

/// Buckets of a single batch say nothing of variation.
BatchTimes summarize(std::span<const BatchTime> times);

}  // namespace seda::diagnose
