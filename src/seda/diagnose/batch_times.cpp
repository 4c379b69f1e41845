// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/batch_times.h"

#include <map>
#include <vector>

#include <fmt/format.h>

#include "seda/base/stats.h"
#include "seda/base/units.h"
#include "seda/diagnose/bands.h"

namespace seda::diagnose {
namespace {

constexpr double kLeastVariation = 0.02;  // below it a rhythm does not matter

using Buckets = std::map<uint32_t, Statistics>;

Buckets by_bucket(std::span<const BatchTime> times) {
  Buckets buckets;
  for (const BatchTime& time : times)
    buckets[time.bucket].add(time.seconds);
  return buckets;
}

void set_variation(BatchTimes& out, const Buckets& buckets) {
  double weight = 0;
  double variation = 0;
  double robust = 0;
  for (const auto& [bucket, times] : buckets) {
    if (times.count() < 2 || times.mean() <= 0 || times.median() <= 0) continue;
    const auto count = static_cast<double>(times.count());
    weight += count;
    variation += count * times.variation();
    robust += count * 1.4826 * times.median_absolute_deviation() / times.median();
  }
  if (weight == 0) return;
  out.variation = variation / weight;
  out.robust_variation = robust / weight;
}

void set_oscillation(BatchTimes& out, std::span<const BatchTime> times, const Buckets& buckets) {
  std::map<uint32_t, double> medians;
  for (const auto& [bucket, statistics] : buckets)
    medians[bucket] = statistics.median();
  std::vector<double> relative;
  for (const BatchTime& time : times) {
    const double median = medians[time.bucket];
    relative.push_back(median > 0 ? time.seconds / median : 1);
  }
  out.oscillation = find_oscillation(relative);
  if (out.variation.value_or(0) < kLeastVariation) out.oscillation.found = false;
  out.period_s = out.oscillation.period * out.mean;
}

}  // namespace

std::string variation_text(const std::optional<double>& variation) {
  if (!variation) return "not measured: each shape came once";
  return fmt::format("{} ({})", format_percent(*variation, 1),
                     to_string(band(*variation, kVariationBounds)));
}

BatchTimes summarize(std::span<const BatchTime> times) {
  BatchTimes out;
  if (times.empty()) return out;
  Statistics all;
  for (const BatchTime& time : times)
    all.add(time.seconds);
  out.batches = times.size();
  out.mean = all.mean();
  out.std = all.std();
  out.min = all.min();
  out.max = all.max();
  out.median = all.median();
  out.p95 = all.quantile(0.95);
  out.p99 = all.quantile(0.99);
  const Buckets buckets = by_bucket(times);
  set_variation(out, buckets);
  set_oscillation(out, times, buckets);
  return out;
}

}  // namespace seda::diagnose
