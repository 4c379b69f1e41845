// SPDX-License-Identifier: Apache-2.0
#include "seda/base/thread.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

namespace seda {
namespace {

std::string& local_name() {
  thread_local std::string name =
      getpid() == gettid() ? std::string("main") : fmt::format("thread-{}", gettid());
  return name;
}

/// Cores that control group v2 grants, or 0 where it sets no limit.
int quota_cores() {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  double quota = 0;
  double period = 0;
  if (!(file >> quota >> period) || period <= 0) return 0;  // "max 100000" is no number
  return std::max(1, static_cast<int>(quota / period));
}

}  // namespace

void set_thread_name(std::string_view name) {
  local_name() = name;
  pthread_setname_np(pthread_self(), std::string(name.substr(0, 15)).c_str());
}

const std::string& thread_name() {
  return local_name();
}

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  int cores = 1;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) cores = std::max(1, CPU_COUNT(&set));
  const int quota = quota_cores();
  return quota > 0 ? std::min(cores, quota) : cores;
}

}  // namespace seda
