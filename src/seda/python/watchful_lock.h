// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <mutex>

namespace seda::python {

/// Locks `mutex`. Calls `while_waiting`, where there is one, now and then until it is free; what
/// that throws ends the wait.
inline std::unique_lock<std::timed_mutex> lock_watchfully(
    std::timed_mutex& mutex, const std::function<void()>& while_waiting) {
  constexpr std::chrono::milliseconds kBetweenTries{50};
  std::unique_lock lock(mutex, std::defer_lock);
  while (!lock.try_lock_for(kBetweenTries)) {
    if (while_waiting) while_waiting();
  }
  return lock;
}

}  // namespace seda::python
