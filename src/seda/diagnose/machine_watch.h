// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/device/process_monitor.h"
#include "seda/device/system_monitor.h"
#include "seda/diagnose/situation.h"

namespace seda::diagnose {

/// Sees who used the machine's cores, and what this process read from storage, from its start on.
/// One thread.
class MachineWatch {
 public:
  MachineWatch();

  /// Since the last call, or since it was made.
  MachineUse use();

 private:
  device::ProcessMonitor process_;
  device::SystemMonitor system_;
  std::optional<uint64_t> read_before_;
  double core_wait_before_s_;
};

}  // namespace seda::diagnose
