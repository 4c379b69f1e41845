// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <vector>

#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/base/mutex.h"
#include "seda/pipeline/queue_meter.h"

namespace seda::pipeline {

/// Hands on the results of many workers in the order of their numbers 0, 1, 2, …
///
/// Thread-safe. Holds numbers from the next one due to `window` further; `put` of one beyond that
/// blocks, and the one that is due never does: as long as whoever owes it goes on, nobody is stuck.
/// `get` blocks until the one due is there. After `close`, `put` returns false and drops its item;
/// `get` drains up to the first gap, then returns nullopt. A requested stop ends only waiting.
/// Allocates nothing after construction. `clock` outlives it.
template <typename T>
class OrderedQueue {
  static_assert(std::is_nothrow_move_constructible_v<T>, "a move must not lose an item half-way");

 public:
  /// `window` is at least 1, else Error(internal).
  OrderedQueue(size_t window, const Clock& clock)
      : meter_(window, clock), items_(checked(window)) {}

  /// False where the queue is closed, or `number` still beyond the window when `stop` was
  /// requested. Error(internal) for a number that was put before.
  bool put(uint64_t number, T item, const std::stop_token& stop = {}) {
    const MutexLock lock(mutex_);
    if (is_beyond(number) && !closed_) wait_for_window(number, stop);
    if (is_beyond(number) || closed_) return false;
    require_new(number);
    place(number).emplace(std::move(item));
    meter_.put();
    if (number == due_) is_due_.notify_one();
    return true;
  }

  /// The item that is due. Nullopt where it will not come (closed), or has not when `stop` was
  /// requested.
  std::optional<T> get(const std::stop_token& stop = {}) {
    const MutexLock lock(mutex_);
    if (!place(due_) && !closed_) wait_for_due(stop);
    if (!place(due_)) return std::nullopt;
    std::optional<T> item = std::exchange(place(due_), std::nullopt);
    meter_.get();
    ++due_;
    window_moved_.notify_all();
    if (place(due_)) is_due_.notify_one();
    return item;
  }

  /// Ends it for producers at once, for consumers at the first gap. Again is harmless.
  void close() {
    const MutexLock lock(mutex_);
    closed_ = true;
    window_moved_.notify_all();
    is_due_.notify_all();
  }

  size_t window() const noexcept { return items_.size(); }

  /// Its sizes count what is held, due or not.
  QueueStatistics statistics() const {
    const MutexLock lock(mutex_);
    return meter_.statistics();
  }

 private:
  static size_t checked(size_t window) {
    if (window == 0) throw_error(ErrorKind::internal, "a window needs room for one item, not 0");
    return window;
  }

  bool is_beyond(uint64_t number) const SEDA_REQUIRES(mutex_) {
    return number >= due_ && number - due_ >= items_.size();
  }
  std::optional<T>& place(uint64_t number) SEDA_REQUIRES(mutex_) {
    return items_[number % items_.size()];
  }
  void require_new(uint64_t number) SEDA_REQUIRES(mutex_) {
    if (number >= due_ && !place(number)) return;
    throw_error(ErrorKind::internal, "item {} was put twice: {} is due", number, due_);
  }

  void wait_for_window(uint64_t number, const std::stop_token& stop) SEDA_REQUIRES(mutex_) {
    meter_.begin_put_wait();
    while (is_beyond(number) && !closed_ && !stop.stop_requested())
      window_moved_.wait(mutex_, stop);
    meter_.end_put_wait();
  }

  void wait_for_due(const std::stop_token& stop) SEDA_REQUIRES(mutex_) {
    meter_.begin_get_wait();
    while (!place(due_) && !closed_ && !stop.stop_requested())
      is_due_.wait(mutex_, stop);
    meter_.end_get_wait();
  }

  mutable Mutex mutex_;
  Condition window_moved_;
  Condition is_due_;
  mutable QueueMeter meter_ SEDA_GUARDED_BY(mutex_);
  std::vector<std::optional<T>> items_;  // its elements, guarded by mutex_; number % window
  uint64_t due_ SEDA_GUARDED_BY(mutex_) = 0;
  bool closed_ SEDA_GUARDED_BY(mutex_) = false;
};

}  // namespace seda::pipeline
