// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <fstream>

#include <unistd.h>

namespace seda::bench {

/// Memory of this process in MB, mapped pages that it touched included.
inline double resident_mb() {
  std::ifstream statm("/proc/self/statm");
  uint64_t total = 0;
  uint64_t resident = 0;
  statm >> total >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) * 1e-6;
}

}  // namespace seda::bench
