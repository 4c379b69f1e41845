// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/watch/watch_summary.h"

#include <algorithm>
#include <functional>
#include <span>

#include "seda/base/distribution.h"

namespace seda::diagnose {
namespace {

using Samples = std::span<const WatchSample>;
using Chosen = std::function<bool(const WatchSample&)>;

/// Share of the samples in which some kernel ran on the GPU.
double used_share(Samples samples, size_t gpu) {
  double used = 0;
  for (const WatchSample& sample : samples)
    used += sample.gpus[gpu].utilization > 0 ? 1 : 0;
  return samples.empty() ? 0 : used / static_cast<double>(samples.size());
}

bool is_used(const WatchRecord& record, size_t gpu) {
  return gpu < record.peak.gpus.size() && (record.peak.gpus[gpu].utilization >= kFirstBusy ||
                                           used_share(record.all, gpu) >= kUsedShare);
}

bool any_busy(const WatchSample& sample) {
  return std::ranges::any_of(sample.gpus,
                             [](const GpuPoint& point) { return point.utilization >= kFirstBusy; });
}

double warm_up_of(const WatchRecord& record) {
  const auto first = std::ranges::find_if(record.all, any_busy);
  if (first == record.all.begin() || first == record.all.end()) return 0;
  return std::min(std::prev(first)->seconds, kMostWarmUp * record.seconds);
}

Samples from(const std::vector<WatchSample>& samples, double seconds) {
  const auto first = std::ranges::upper_bound(samples, seconds, {}, &WatchSample::seconds);
  return {first, samples.end()};
}

template <typename Point>
void add_up(Point& sum, Point& weights, const Point& point, double weight,
            std::span<const PointField<Point>> fields) {
  for (const PointField<Point>& field : fields) {
    const double value = point.*field.value;
    if (!is_known(value)) continue;
    double& total = sum.*field.value;
    double& all = weights.*field.value;
    total = (is_known(total) ? total : 0) + weight * value;
    all = (is_known(all) ? all : 0) + weight;
  }
}

template <typename Point>
void divide(Point& sum, const Point& weights, std::span<const PointField<Point>> fields) {
  for (const PointField<Point>& field : fields)
    sum.*field.value /= weights.*field.value;
}

HostPoint host_mean(Samples samples, const Chosen& chosen) {
  HostPoint sum;
  HostPoint weights;
  for (const WatchSample& sample : samples) {
    if (chosen(sample)) add_up(sum, weights, sample.host, sample.count, host_fields());
  }
  divide(sum, weights, host_fields());
  return sum;
}

GpuPoint gpu_mean(Samples samples, size_t gpu) {
  GpuPoint sum;
  GpuPoint weights;
  for (const WatchSample& sample : samples)
    add_up(sum, weights, sample.gpus[gpu], sample.count, gpu_fields());
  divide(sum, weights, gpu_fields());
  return sum;
}

template <typename Value>
std::vector<TimedValue> series(Samples samples, const Value& value_of) {
  std::vector<TimedValue> out;
  out.reserve(samples.size());
  for (const WatchSample& sample : samples) {
    const double value = value_of(sample);
    if (is_known(value)) out.push_back({sample.seconds, value});
  }
  return out;
}

GpuSummary summarize_gpu(const WatchRecord& record, Samples samples, Samples recent, size_t gpu) {
  GpuSummary out;
  out.used = is_used(record, gpu);
  out.mean = gpu_mean(samples, gpu);
  Distribution spread;
  for (const WatchSample& sample : recent) {
    if (is_known(sample.gpus[gpu].utilization)) spread.add(sample.gpus[gpu].utilization);
  }
  out.low_quantile = spread.quantile(0.1);
  out.high_quantile = spread.quantile(0.9);
  out.memory = find_growth(
      series(samples, [gpu](const WatchSample& sample) { return sample.gpus[gpu].memory_bytes; }),
      kLeastGrowthBytes);
  return out;
}

std::optional<size_t> busiest(const std::vector<GpuSummary>& gpus) {
  std::optional<size_t> best;
  for (size_t i = 0; i < gpus.size(); ++i) {
    if (!gpus[i].used || !is_known(gpus[i].mean.utilization)) continue;
    if (!best || gpus[i].mean.utilization > gpus[*best].mean.utilization) best = i;
  }
  return best;
}

void find_rhythm(Samples recent, size_t gpu, WatchSummary& summary) {
  std::vector<double> values;
  for (const WatchSample& sample : recent) {
    if (is_known(sample.gpus[gpu].utilization)) values.push_back(sample.gpus[gpu].utilization);
  }
  if (values.size() < kLeastSamples) return;
  summary.oscillation = find_oscillation(values);
  const double seconds = recent.back().seconds - recent.front().seconds;
  summary.period_s = summary.oscillation.period * seconds / static_cast<double>(recent.size() - 1);
}

void look_at_gpus(const WatchRecord& record, Samples samples, WatchSummary& summary) {
  const Samples recent = from(record.recent, summary.warm_up_s);
  for (size_t gpu = 0; gpu < record.machine.gpus.size(); ++gpu)
    summary.gpus.push_back(summarize_gpu(record, samples, recent, gpu));
  summary.gpu = busiest(summary.gpus);
  if (!summary.gpu) return;
  find_rhythm(recent, *summary.gpu, summary);
  summary.starved_host = host_mean(samples, [gpu = *summary.gpu](const WatchSample& sample) {
    return sample.gpus[gpu].utilization < kWellFed;
  });
}

}  // namespace

WatchSummary summarize(const WatchRecord& record) {
  WatchSummary summary;
  summary.warm_up_s = warm_up_of(record);
  const Samples samples = from(record.all, summary.warm_up_s);
  for (const WatchSample& sample : samples)
    summary.samples += sample.count;
  summary.seconds = record.seconds - summary.warm_up_s;
  summary.host = host_mean(samples, [](const WatchSample&) { return true; });
  look_at_gpus(record, samples, summary);
  summary.resident = find_growth(
      series(samples, [](const WatchSample& sample) { return sample.host.resident_bytes; }),
      kLeastGrowthBytes);
  return summary;
}

}  // namespace seda::diagnose
