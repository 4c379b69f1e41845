// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
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

/// Mean of the worst stretch of so many samples in a row; of fewer, of all. By itself 10 s of
/// samples taken every 0.1 s.
class WorstStretch {
 public:
  WorstStretch() = default;
  explicit WorstStretch(size_t length) : length_(length) {}

  void add(double sample);
  std::optional<double> mean() const;

 private:
  size_t length_ = 100;
  std::vector<double> last_;  // a ring
  size_t samples_ = 0;
  double sum_ = 0;  // of the ring
  double worst_ = std::numeric_limits<double>::infinity();
};

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
    WorstStretch utilization;
    double utilization_sum = 0;
    double power_sum = 0;
    double sm_sum = 0;
    double busy_sum = 0;
    size_t utilizations = 0;
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
