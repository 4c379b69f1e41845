// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace seda::diagnose {

/// What nobody could read is NaN: a plain number, fit for means and charts.
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
inline bool is_known(double value) {
  return !std::isnan(value);
}

/// A GPU at one moment.
struct GpuPoint {
  double utilization = kUnknown;  ///< Share of the driver's last period with any kernel, 0–1.
  double sm_activity = kUnknown;  ///< Multiprocessors with work, 0–1 (GPM).
  double memory_bytes = kUnknown;
  double power_w = kUnknown;
  double sm_clock_mhz = kUnknown;
  double temperature_c = kUnknown;
  double slowed = kUnknown;        ///< 1 where heat or hardware takes speed away, else 0.
  double power_capped = kUnknown;  ///< 1 at the power limit, else 0.
  double pcie_in_bytes_per_s = kUnknown;
  double pcie_out_bytes_per_s = kUnknown;
};

/// The watched processes and the machine over the time since the sample before.
struct HostPoint {
  // The process and all below it; unknown where none is watched.
  double processes = kUnknown;
  double threads = kUnknown;
  double cpu = kUnknown;  ///< Cores' worth of time,
  double busiest_cpu = kUnknown;
  double first_cpu = kUnknown;
  double at_full_speed = kUnknown;  ///< Processes held back by their one core.
  double core_wait = kUnknown;      ///< Cores' worth of time without one, first threads.
  double in_disk_wait = kUnknown;   ///< Processes.
  double resident_bytes = kUnknown;
  double read_bytes_per_s = kUnknown;
  double written_bytes_per_s = kUnknown;
  double called_bytes_per_s = kUnknown;  ///< Asked by read calls, page cache or not.
  double major_faults_per_s = kUnknown;
  // The machine.
  double machine_cpu = kUnknown;  ///< Share of all cores, 0–1.
  double io_wait = kUnknown;      ///< Share of all cores idle with a disk request open, 0–1.
  double disk_busy = kUnknown;    ///< Of the busiest disk, 0–1.
  double memory_available_bytes = kUnknown;
};

/// One look at everything, or the mean of `count` neighbouring ones.
struct WatchSample {
  uint64_t number = 0;  ///< Of the newest in it, from 1.
  double seconds = 0;   ///< Since the watch began.
  uint32_t count = 1;
  HostPoint host;
  std::vector<GpuPoint> gpus;
};

/// A field by its name: what JSON, metrics and charts are made from.
template <typename Point>
struct PointField {
  std::string_view name;    ///< In JSON.
  std::string_view metric;  ///< In Prometheus, base units.
  std::string_view help;
  double Point::* value;
  double scale = 1;  ///< From the field to the metric's unit.
};

std::span<const PointField<GpuPoint>> gpu_fields();
std::span<const PointField<HostPoint>> host_fields();

/// The mean of two, each weighted by its count; a field unknown in one is the other's.
WatchSample merged(const WatchSample& one, const WatchSample& other);

/// Each field of `top` becomes the larger one.
void raise_to(WatchSample& top, const WatchSample& sample);

}  // namespace seda::diagnose
