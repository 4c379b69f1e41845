// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/machine_watch.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "seda/base/thread.h"

namespace seda::diagnose {
namespace {

/// Time that the threads there are now were ready to run and had no core, since each began; 0 where
/// the kernel does not say.
double core_wait_s() {
  double sum = 0;
  std::error_code none;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", none)) {
    std::ifstream file(thread.path() / "schedstat");
    double ran_ns = 0;
    double waited_ns = 0;
    if (file >> ran_ns >> waited_ns) sum += 1e-9 * waited_ns;
  }
  return sum;
}

}  // namespace

MachineWatch::MachineWatch()
    : read_before_(process_.sample().read_bytes), core_wait_before_s_(core_wait_s()) {}

MachineUse MachineWatch::use() {
  const device::ProcessSample process = process_.sample();
  const device::SystemSample system = system_.sample();
  const auto cores = static_cast<double>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  MachineUse use;
  use.usable_cores = usable_cores();
  use.process_cores = process.cpu;
  const double used = system.cpu ? cores * *system.cpu : process.cpu;
  use.other_cores = std::max(0.0, used - process.cpu);
  use.idle_cores = std::clamp(cores - used, 0.0, static_cast<double>(use.usable_cores));
  if (process.read_bytes && read_before_) use.storage_bytes = *process.read_bytes - *read_before_;
  read_before_ = process.read_bytes;
  const double core_wait = core_wait_s();
  if (process.seconds > 0)
    use.waiting_cores = std::max(0.0, core_wait - core_wait_before_s_) / process.seconds;
  core_wait_before_s_ = core_wait;
  use.free_bytes = system.memory_available_bytes;
  use.total_bytes = system.memory_total_bytes;
  use.major_faults_per_s = process.major_faults_per_s;
  return use;
}

}  // namespace seda::diagnose
