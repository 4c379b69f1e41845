// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "seda/base/clock.h"
#include "seda/device/proc_text.h"

namespace seda::device {

/// What a disk did since the sample before.
struct DiskSample {
  std::string name;
  double read_bytes_per_s = 0;
  double written_bytes_per_s = 0;
  double reads_per_s = 0;
  double busy = 0;  ///< Share of the time with a request open, 0–1.
};

/// What the machine did since the sample before, or since the monitor was made. What /proc does not
/// give is empty.
struct SystemSample {
  int64_t time_ns = 0;                   ///< Monotonic clock.
  double seconds = 0;                    ///< Length of that time.
  std::optional<double> cpu;             ///< Share of all cores in use, 0–1.
  std::optional<double> waiting_for_io;  ///< Share idle with a disk request open, 0–1.
  std::optional<double> load;            ///< Mean of one minute.
  std::optional<uint64_t> memory_total_bytes;
  std::optional<uint64_t> memory_available_bytes;
  std::vector<DiskSample> disks;  ///< Whole disks that hold data, no partitions.
};

struct SystemMonitorOptions {
  std::filesystem::path proc = "/proc";
  std::filesystem::path disks = "/sys/block";  ///< One entry for each whole disk.

  bool operator==(const SystemMonitorOptions&) const = default;
};

/// Watches the machine. Not thread-safe; each sample reads four small files.
class SystemMonitor {
 public:
  /// Takes the first look. `clock`, if given, outlives the monitor.
  explicit SystemMonitor(SystemMonitorOptions options = {}, const Clock* clock = nullptr);

  SystemSample sample();

 private:
  struct Look {
    int64_t time_ns = 0;
    std::optional<CpuTicks> cpu;
    std::vector<DiskCounters> disks;
  };
  Look look() const;
  bool is_whole_disk(const std::string& name) const;

  SystemMonitorOptions options_;
  SteadyClock steady_clock_;
  const Clock* clock_;
  Look last_;
};

}  // namespace seda::device
