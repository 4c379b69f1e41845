// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>

#include <sys/resource.h>

namespace seda::bench {

/// What the threads of this process got of the machine, in seconds.
struct ProcessTime {
  double cpu = 0;      ///< Running, of all threads there ever were.
  double starved = 0;  ///< Ready to run without a core to run on, of the threads there are now.
};

inline ProcessTime process_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  ProcessTime out{seconds(usage.ru_utime) + seconds(usage.ru_stime), 0};
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(thread.path() / "schedstat");
    double running_ns = 0;
    double starved_ns = 0;
    if (file >> running_ns >> starved_ns) out.starved += starved_ns * 1e-9;
  }
  return out;
}

}  // namespace seda::bench
