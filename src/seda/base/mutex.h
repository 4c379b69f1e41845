// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>

#if defined(__clang__)
#define SEDA_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define SEDA_THREAD_ANNOTATION(x)
#endif

#define SEDA_GUARDED_BY(mutex) SEDA_THREAD_ANNOTATION(guarded_by(mutex))
#define SEDA_REQUIRES(mutex) SEDA_THREAD_ANNOTATION(requires_capability(mutex))
#define SEDA_EXCLUDES(mutex) SEDA_THREAD_ANNOTATION(locks_excluded(mutex))

namespace seda {

/// std::mutex that clang's thread-safety analysis understands.
class SEDA_THREAD_ANNOTATION(capability("mutex")) Mutex {
 public:
  void lock() SEDA_THREAD_ANNOTATION(acquire_capability()) { mutex_.lock(); }
  void unlock() SEDA_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

/// Holds a Mutex for its scope.
class SEDA_THREAD_ANNOTATION(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) SEDA_THREAD_ANNOTATION(acquire_capability(mutex))
      : mutex_(mutex) {
    mutex_.lock();
  }
  ~MutexLock() SEDA_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }

  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

/// Waits on a Mutex that is held. Write `while (!ready) condition.wait(mutex);`: the analysis
/// cannot see into predicates.
class Condition {
 public:
  void wait(Mutex& mutex) SEDA_REQUIRES(mutex) { condition_.wait(mutex); }

  /// Also wakes when a stop is requested; returns at once where it was. Ask `stop` in the loop.
  void wait(Mutex& mutex, const std::stop_token& stop) SEDA_REQUIRES(mutex) {
    condition_.wait(mutex, stop, [woken = false]() mutable { return std::exchange(woken, true); });
  }

  /// False when `timeout` passed first.
  template <typename Rep, typename Period>
  bool wait_for(Mutex& mutex, std::chrono::duration<Rep, Period> timeout) SEDA_REQUIRES(mutex) {
    return condition_.wait_for(mutex, timeout) == std::cv_status::no_timeout;
  }

  void notify_one() noexcept { condition_.notify_one(); }
  void notify_all() noexcept { condition_.notify_all(); }

 private:
  std::condition_variable_any condition_;
};

}  // namespace seda
