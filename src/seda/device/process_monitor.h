// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "seda/base/clock.h"
#include "seda/device/proc_text.h"

namespace seda::device {

/// What a process did since the sample before, or since the monitor was made.
struct ProcessSample {
  /// False once the process has ended (or its id now names another); then nothing below is set.
  bool alive = false;
  double seconds = 0;      ///< Length of that time.
  double cpu = 0;          ///< Cores' worth of time: 2.5 is two and a half cores.
  double cpu_seconds = 0;  ///< Time on cores since the process began.
  /// Cores' worth of time in which the first thread could run but had none; where known.
  std::optional<double> core_wait;
  uint64_t threads = 0;
  bool in_disk_wait = false;  ///< Its first thread, now: the kernel's state 'D'.
  uint64_t resident_bytes = 0;
  double major_faults_per_s = 0;       ///< Each waited for storage.
  std::optional<uint64_t> read_bytes;  ///< From storage, in all; nullopt without permission.
  std::optional<double> read_bytes_per_s;
  std::optional<double> written_bytes_per_s;
  std::optional<double> called_bytes_per_s;  ///< Asked by read calls, page cache or not.
};

struct ProcessMonitorOptions {
  int process_id = 0;                    ///< 0: this process.
  std::filesystem::path proc = "/proc";  ///< Elsewhere in tests.

  bool operator==(const ProcessMonitorOptions&) const = default;
};

/// Watches one process, one's own or another's. Not thread-safe; each sample reads three small
/// files.
class ProcessMonitor {
 public:
  /// Takes the first look. `clock`, if given, outlives the monitor.
  explicit ProcessMonitor(const ProcessMonitorOptions& options = {}, const Clock* clock = nullptr);

  /// Never throws for want of the process: see `ProcessSample::alive`.
  ProcessSample sample();

 private:
  struct Look {
    int64_t time_ns = 0;
    ProcessStat stat;
    std::optional<ProcessIo> io;
    std::optional<uint64_t> core_wait_ns;
  };
  std::optional<Look> look() const;
  ProcessSample compare(const Look& before, const Look& now) const;

  std::filesystem::path folder_;
  SteadyClock steady_clock_;
  const Clock* clock_;
  std::optional<Look> last_;
};

}  // namespace seda::device
