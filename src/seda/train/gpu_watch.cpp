// SPDX-License-Identifier: Apache-2.0
#include "seda/train/gpu_watch.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <utility>

#include "seda/base/thread.h"

namespace seda::train {
namespace {

constexpr auto kPeriod = std::chrono::milliseconds(100);

std::optional<double> mean_of(double sum, size_t count) {
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

}  // namespace

void WorstStretch::add(double sample) {
  if (last_.size() < length_) {
    last_.push_back(sample);
  } else {
    sum_ -= std::exchange(last_[samples_ % length_], sample);
  }
  ++samples_;
  sum_ += sample;
  if (last_.size() == length_) worst_ = std::min(worst_, sum_);
}

std::optional<double> WorstStretch::mean() const {
  if (last_.empty()) return std::nullopt;
  const double sum = last_.size() < length_ ? sum_ : worst_;
  return sum / static_cast<double>(last_.size());
}

GpuWatch::GpuWatch(const device::Platform& platform, const std::vector<device::Device>& devices)
    : monitor_(device::make_monitor()) {
  for (const device::Device device : devices) {
    if (!device.is_cuda()) continue;
    const auto index = device::find_gpu(*monitor_, platform.properties(device).pci_bus_id);
    if (!index) continue;
    const MutexLock lock(mutex_);
    if (std::ranges::find(series_, device, &Series::device) == series_.end()) {
      series_.push_back({.device = device, .monitor_index = *index, .utilization = {}});
    }
  }
  const MutexLock lock(mutex_);
  if (series_.empty()) return;
  thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

GpuWatch::~GpuWatch() {
  thread_.request_stop();
}

void GpuWatch::watch(const std::stop_token& stop) {
  set_thread_name("gpu watch");
  std::mutex mutex;
  std::condition_variable_any wakes;
  std::unique_lock waiting(mutex);
  while (!wakes.wait_for(waiting, stop, kPeriod, [] { return false; }) && !stop.stop_requested()) {
    if (paused_.load(std::memory_order_relaxed)) continue;
    const MutexLock lock(mutex_);
    for (Series& series : series_)
      add(series, monitor_->sample(series.monitor_index));
  }
}

void GpuWatch::add(Series& series, const device::GpuSample& sample) {
  if (sample.utilization) {
    series.utilization.add(*sample.utilization);
    series.utilization_sum += *sample.utilization;
    ++series.utilizations;
  }
  if (sample.power_w) {
    series.power_sum += *sample.power_w;
    ++series.powers;
  }
  if (sample.activity && sample.activity->sm) {
    series.sm_sum += *sample.activity->sm;
    ++series.sms;
  }
  if (sample.activity && sample.activity->busy) {
    series.busy_sum += *sample.activity->busy;
    ++series.busies;
  }
}

GpuFigures GpuWatch::summarize(const Series& series) {
  GpuFigures use;
  use.device = series.device;
  use.utilization_mean = mean_of(series.utilization_sum, series.utilizations);
  use.utilization_worst = series.utilization.mean();
  use.sm_activity_mean = mean_of(series.sm_sum, series.sms);
  use.busy_mean = mean_of(series.busy_sum, series.busies);
  use.power_w = mean_of(series.power_sum, series.powers);
  return use;
}

void GpuWatch::restart() {
  const MutexLock lock(mutex_);
  for (Series& series : series_)
    series = {.device = series.device, .monitor_index = series.monitor_index, .utilization = {}};
}

std::vector<GpuFigures> GpuWatch::use() const {
  const MutexLock lock(mutex_);
  std::vector<GpuFigures> out;
  out.reserve(series_.size());
  for (const Series& series : series_)
    out.push_back(summarize(series));
  return out;
}

}  // namespace seda::train
