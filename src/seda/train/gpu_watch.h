// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "seda/base/mutex.h"
#include "seda/device/monitor.h"
#include "seda/device/platform.h"

namespace seda::train {

/// What the driver saw of a GPU over a run; a value it does not give is empty.
struct GpuFigures {
  device::Device device;
  std::optional<double> utilization_mean;   ///< 0–1
  std::optional<double> utilization_worst;  ///< Of the worst 10 s; of a shorter run, the mean.
  std::optional<double> busy_mean;          ///< Some kernel ran, where the chip counts it.
  std::optional<double> sm_activity_mean;   ///< Where the chip counts it.
  std::optional<double> power_w;            ///< Mean.
};

/// Mean of the worst stretch of 10 s in samples taken every 0.1 s; of fewer, of all.
std::optional<double> worst_stretch(const std::vector<double>& samples, size_t stretch = 100);

/// Looks at GPUs ten times a second, on a thread of its own, for its life.
class GpuWatch {
 public:
  /// Devices that are no GPUs are not watched. `platform` outlives it.
  GpuWatch(const device::Platform& platform, const std::vector<device::Device>& devices);
  ~GpuWatch();
  GpuWatch(const GpuWatch&) = delete;
  GpuWatch& operator=(const GpuWatch&) = delete;

  /// Forgets what it saw.
  void restart();
  /// While paused it does not look: what happens is not training.
  void set_paused(bool paused) noexcept { paused_.store(paused, std::memory_order_relaxed); }
  std::vector<GpuFigures> use() const;

 private:
  struct Series {
    device::Device device;
    int monitor_index = 0;
    std::vector<double> utilization;
    double power_sum = 0;
    double sm_sum = 0;
    double busy_sum = 0;
    size_t powers = 0;
    size_t sms = 0;
    size_t busies = 0;
  };

  void watch(const std::stop_token& stop);
  static void add(Series& series, const device::GpuSample& sample);
  static GpuFigures summarize(const Series& series);

  std::unique_ptr<device::Monitor> monitor_;
  std::atomic<bool> paused_{false};
  mutable Mutex mutex_;
  std::vector<Series> series_ SEDA_GUARDED_BY(mutex_);
  std::jthread thread_;
};

}  // namespace seda::train
