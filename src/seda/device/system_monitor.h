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

/// What the machine did since the sample before, or since the monitor was made. What /proc does not
/// give is empty.
struct SystemSample {
  std::optional<double> cpu;             ///< Share of all cores in use, 0–1.
  std::optional<double> waiting_for_io;  ///< Share idle with a disk request open, 0–1.
  std::optional<uint64_t> memory_total_bytes;
  std::optional<uint64_t> memory_available_bytes;
  /// Of each whole disk that holds data: share of the time with a request open, 0–1.
  std::vector<double> disk_busy;
};

struct SystemMonitorOptions {
  std::filesystem::path proc = "/proc";
  std::filesystem::path disks = "/sys/block";  ///< One entry for each whole disk.

  bool operator==(const SystemMonitorOptions&) const = default;
};

/// Watches the machine. Not thread-safe; each sample reads three small files.
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
