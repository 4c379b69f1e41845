// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <time.h>

namespace seda {

/// Nanoseconds of the monotonic clock: never steps back, starts anywhere. About 20 ns a call.
inline int64_t now_ns() noexcept {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// The calendar's time, in UTC: "2026-03-01T12:00:00Z".
std::string utc_now();

/// Where code under test takes its time from.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t now_ns() const noexcept = 0;
};

/// The machine's monotonic clock.
class SteadyClock final : public Clock {
 public:
  int64_t now_ns() const noexcept override { return seda::now_ns(); }
};

/// Time since it was made or restarted.
class Stopwatch {
 public:
  double seconds() const noexcept { return static_cast<double>(now_ns() - start_) * 1e-9; }
  void restart() noexcept { start_ = now_ns(); }

 private:
  int64_t start_ = now_ns();
};

}  // namespace seda
