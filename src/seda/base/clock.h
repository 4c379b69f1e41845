// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
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

/// Moves only when told to. Thread-safe.
class ManualClock final : public Clock {
 public:
  int64_t now_ns() const noexcept override { return now_.load(std::memory_order_acquire); }
  void advance_ns(int64_t by) noexcept { now_.fetch_add(by, std::memory_order_acq_rel); }

 private:
  std::atomic<int64_t> now_{0};
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
