// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/machine_watch.h"

#include <algorithm>

#include <unistd.h>

#include "seda/base/thread.h"

namespace seda::diagnose {

MachineWatch::MachineWatch() : read_before_(process_.sample().read_bytes) {}

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
  use.free_bytes = system.memory_available_bytes;
  return use;
}

}  // namespace seda::diagnose
