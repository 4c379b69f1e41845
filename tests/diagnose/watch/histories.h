// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <random>

#include "seda/diagnose/watch/watch_history.h"
#include "seda/diagnose/watch/watch_record.h"

namespace seda::diagnose {

constexpr double kGibibyte = 1024.0 * 1024 * 1024;

/// What a sample of a made-up watch is: `seconds` since the start, noise of mean 0 and deviation 1.
using MakeSample = std::function<WatchSample(double seconds, const std::function<double()>& noise)>;

/// A machine of 8 cores with one GPU.
inline WatchedMachine machine_with_gpu() {
  WatchedMachine machine;
  device::GpuInfo gpu;
  gpu.name = "NVIDIA Fake 1000";
  gpu.memory_total_bytes = uint64_t{80} << 30;
  gpu.sm_clock_max_mhz = 1980;
  gpu.power_limit_w = 700;
  machine.gpus = {gpu};
  machine.cores = 8;
  machine.usable_cores = 8;
  machine.memory_total_bytes = 64 * kGibibyte;
  return machine;
}

inline WatchedMachine machine_without_gpu() {
  WatchedMachine machine = machine_with_gpu();
  machine.gpus.clear();
  machine.gpu_absence = "no NVML library";
  return machine;
}

/// A process that does little beside a GPU that is at work, on an otherwise idle machine.
inline WatchSample quiet_sample(double seconds) {
  WatchSample sample;
  sample.seconds = seconds;
  sample.host = {.processes = 5,
                 .threads = 40,
                 .cpu = 0.4,
                 .busiest_cpu = 0.3,
                 .first_cpu = 0.3,
                 .at_full_speed = 0,
                 .in_disk_wait = 0,
                 .resident_bytes = 4 * kGibibyte,
                 .read_bytes_per_s = 0,
                 .written_bytes_per_s = 0,
                 .called_bytes_per_s = 0,
                 .major_faults_per_s = 0,
                 .machine_cpu = 0.06,
                 .io_wait = 0,
                 .disk_busy = 0.01,
                 .memory_available_bytes = 50 * kGibibyte};
  sample.gpus = {{.utilization = 0.9,
                  .sm_activity = 0.7,
                  .memory_bytes = 20 * kGibibyte,
                  .power_w = 400,
                  .sm_clock_mhz = 1900,
                  .temperature_c = 60,
                  .slowed = 0,
                  .power_capped = 0}};
  return sample;
}

inline double share(double value) {
  return std::clamp(value, 0.0, 1.0);
}

/// A record of `seconds` at 10 Hz.
inline WatchRecord make_record(const WatchedMachine& machine, double seconds,
                               const MakeSample& make, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const std::function<double()> noise = [&] { return normal(random); };
  WatchHistory history;
  WatchRecord record;
  record.machine = machine;
  record.has_process = true;
  const int count = static_cast<int>(seconds * 10 + 0.5);
  for (int i = 1; i <= count; ++i) {
    WatchSample sample = make(0.1 * i, noise);
    sample.seconds = 0.1 * i;
    sample.gpus.resize(machine.gpus.size());
    history.add(std::move(sample));
  }
  record.samples = history.count();
  record.seconds = 0.1 * count;
  record.all = history.all();
  record.recent.assign(history.recent().begin(), history.recent().end());
  record.peak = history.peak();
  record.limits.resize(machine.gpus.size());
  return record;
}

}  // namespace seda::diagnose
