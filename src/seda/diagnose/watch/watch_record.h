// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "seda/device/monitor.h"
#include "seda/diagnose/watch/watch_sample.h"

namespace seda::diagnose {

/// What does not change while a machine is watched.
struct WatchedMachine {
  std::vector<device::GpuInfo> gpus;
  std::string gpu_absence;  ///< Why there is no GPU to watch; empty where there is one.
  int cores = 1;            ///< Of the machine.
  int usable_cores = 1;     ///< That this process, and what it starts, may use.
  double memory_total_bytes = kUnknown;
};

/// Everything a watch has seen so far.
struct WatchRecord {
  WatchedMachine machine;
  bool has_process = false;    ///< A process is watched, not the machine alone.
  bool process_alive = false;  ///< At the last sample.
  double interval_s = 0.1;
  double seconds = 0;
  uint64_t samples = 0;
  std::vector<WatchSample> all;     ///< All of the time, thinned out.
  std::vector<WatchSample> recent;  ///< The last ones, as they came.
  WatchSample peak;                 ///< The largest that each field was.
  double read_bytes = kUnknown;     ///< From storage, by the processes, in all.
  double written_bytes = kUnknown;
  std::vector<std::set<std::string>> limits;  ///< Of each GPU, in words: "power cap".
};

}  // namespace seda::diagnose
