// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
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

/// Fixed-capacity queue between two stages, first in, first out.
///
/// Thread-safe. `put` blocks while full, `get` while empty; `close` wakes both. After `close`,
/// `put` returns false and drops its item; `get` drains what is left, then returns nullopt. A
/// requested stop ends only waiting: where there is room or an item, the call goes through as ever.
/// Allocates nothing after construction. `clock` outlives it.
template <typename T>
class BoundedQueue {
  static_assert(std::is_nothrow_move_constructible_v<T>, "a move must not lose an item half-way");

 public:
  /// `capacity` is at least 1, else Error(internal).
  BoundedQueue(size_t capacity, const Clock& clock)
      : meter_(capacity, clock), items_(checked(capacity)) {}

  /// False where the queue is closed, or full when `stop` was requested; the item is then gone.
  bool put(T item, const std::stop_token& stop = {}) {
    const MutexLock lock(mutex_);
    if (full() && !closed_) wait_for_room(stop);
    if (full() || closed_) return false;
    items_[(first_ + size_) % items_.size()].emplace(std::move(item));
    meter_.put();
    ++size_;
    has_item_.notify_one();
    return true;
  }

  /// Nullopt where the queue is closed and drained, or empty when `stop` was requested.
  std::optional<T> get(const std::stop_token& stop = {}) {
    const MutexLock lock(mutex_);
    if (size_ == 0 && !closed_) wait_for_item(stop);
    if (size_ == 0) return std::nullopt;
    std::optional<T> item = std::exchange(items_[first_], std::nullopt);
    meter_.get();
    first_ = (first_ + 1) % items_.size();
    --size_;
    has_room_.notify_one();
    return item;
  }

  /// Ends it for producers at once, for consumers when drained. Again is harmless.
  void close() {
    const MutexLock lock(mutex_);
    closed_ = true;
    has_room_.notify_all();
    has_item_.notify_all();
  }

  size_t capacity() const noexcept { return items_.size(); }

  QueueStatistics statistics() const {
    const MutexLock lock(mutex_);
    return meter_.statistics();
  }

 private:
  static size_t checked(size_t capacity) {
    if (capacity == 0) throw_error(ErrorKind::internal, "a queue needs room for one item, not 0");
    return capacity;
  }

  bool full() const SEDA_REQUIRES(mutex_) { return size_ == items_.size(); }

  void wait_for_room(const std::stop_token& stop) SEDA_REQUIRES(mutex_) {
    meter_.begin_put_wait();
    while (full() && !closed_ && !stop.stop_requested())
      has_room_.wait(mutex_, stop);
    meter_.end_put_wait();
  }

  void wait_for_item(const std::stop_token& stop) SEDA_REQUIRES(mutex_) {
    meter_.begin_get_wait();
    while (size_ == 0 && !closed_ && !stop.stop_requested())
      has_item_.wait(mutex_, stop);
    meter_.end_get_wait();
  }

  mutable Mutex mutex_;
  Condition has_room_;
  Condition has_item_;
  mutable QueueMeter meter_ SEDA_GUARDED_BY(mutex_);
  std::vector<std::optional<T>> items_;  // its elements, guarded by mutex_; a circle
  size_t first_ SEDA_GUARDED_BY(mutex_) = 0;
  size_t size_ SEDA_GUARDED_BY(mutex_) = 0;
  bool closed_ SEDA_GUARDED_BY(mutex_) = false;
};

}  // namespace seda::pipeline
