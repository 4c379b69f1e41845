// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>

#include "seda/base/clock.h"
#include "seda/device/process_monitor.h"

namespace seda::device {

/// What a process and all below it did since the sample before; rates are their sums.
struct ProcessTreeSample {
  bool alive = false;       ///< Some process of the tree is there.
  bool root_alive = false;  ///< The first of them is.
  uint64_t processes = 0;   ///< That are there.
  uint64_t threads = 0;
  double cpu = 0;               ///< Cores' worth of time.
  double busiest_cpu = 0;       ///< Of the process that used most.
  double first_cpu = 0;         ///< Of the one nearest the root that is no mere wrapper.
  uint64_t at_full_speed = 0;   ///< Processes that used at least `kFullSpeed` of a core.
  uint64_t in_disk_wait = 0;    ///< Processes whose first thread waits for storage.
  uint64_t resident_bytes = 0;  ///< Pages that processes share count for each of them.
  double major_faults_per_s = 0;
  // What storage and read calls gave; nullopt where a process does not let its counters be read.
  std::optional<double> read_bytes_per_s;
  std::optional<double> written_bytes_per_s;
  std::optional<double> called_bytes_per_s;
  std::optional<double> core_wait;  ///< Of first threads, cores' worth of time.
};

/// Share of a core from which a process counts as held back by its one core.
constexpr double kFullSpeed = 0.85;
/// Seconds on a core up to which a process may be a mere wrapper: a shell, a launcher.
constexpr double kWrapperSeconds = 1;

struct ProcessTreeOptions {
  int process_id = 0;                    ///< The root; 0: this process.
  std::filesystem::path proc = "/proc";  ///< Elsewhere in tests.
  /// Time between two looks for new processes: each reads a file of every process of the machine.
  double search_interval_s = 1;

  bool operator==(const ProcessTreeOptions&) const = default;
};

/// Watches a process with its children, theirs, and so on. Not thread-safe.
///
/// Once seen, a process belongs to the tree until it ends, even when its parent ends first. What
/// processes did that began and ended between two searches is not seen.
class ProcessTree {
 public:
  /// Takes the first look. `clock`, if given, outlives the tree.
  explicit ProcessTree(ProcessTreeOptions options = {}, const Clock* clock = nullptr);

  /// Never throws for want of a process: see `ProcessTreeSample::alive`.
  ProcessTreeSample sample();

 private:
  struct Member {
    int depth = 0;  // the root's is 0
    ProcessMonitor monitor;
  };

  int64_t now_ns() const;
  void search();

  ProcessTreeOptions options_;
  SteadyClock steady_clock_;
  const Clock* clock_;
  std::map<int, Member> members_;
  int64_t searched_ns_ = 0;
};

}  // namespace seda::device
