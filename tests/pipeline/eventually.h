// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <thread>

#include <unistd.h>

namespace seda::testing_support {

/// Whether `condition` came true, asked again and again for half a minute.
template <typename Condition>
[[nodiscard]] bool eventually(Condition condition) {
  using namespace std::chrono_literals;
  const auto end = std::chrono::steady_clock::now() + 30s;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(200us);
  }
  return true;
}

/// Threads of this process, as the system counts them.
inline size_t thread_count() {
  size_t count = 0;
  for ([[maybe_unused]] const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
    ++count;
  return count;
}

/// How many threads there were; whether there are as many again. A joined thread may stay in the
/// system's list for a moment.
///
/// A sanitizer starts a thread of its own with the first of ours, so one has come and gone before
/// it counts.
class ThreadCensus {
 public:
  ThreadCensus() {
    pid_t first = 0;
    std::thread([&] { first = gettid(); }).join();
    const auto task = "/proc/self/task/" + std::to_string(first);
    (void)eventually([&] { return !std::filesystem::exists(task); });
    before_ = thread_count();
  }

  [[nodiscard]] bool all_gone() const {
    return eventually([this] { return thread_count() <= before_; });
  }

 private:
  size_t before_ = 0;
};

}  // namespace seda::testing_support
