// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>

namespace seda::testing_support {

/// Numbers on their way into or out of a stage under test. Thread-safe.
///
/// `put` blocks while `capacity` are held, `get` while none is. A requested stop ends the waiting,
/// and `close` that of everybody: `get` then drains what is left.
class NumberQueue {
 public:
  explicit NumberQueue(size_t capacity) : capacity_(capacity) {}

  /// False where there was no room for the number.
  bool put(int number, const std::stop_token& stop = {}) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, stop, [this] { return closed_ || numbers_.size() < capacity_; });
    if (closed_ || numbers_.size() == capacity_) return false;
    numbers_.push_back(number);
    changed_.notify_all();
    return true;
  }

  std::optional<int> get(const std::stop_token& stop = {}) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, stop, [this] { return closed_ || !numbers_.empty(); });
    if (numbers_.empty()) return std::nullopt;
    const int number = numbers_.front();
    numbers_.pop_front();
    changed_.notify_all();
    return number;
  }

  void close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  const size_t capacity_;
  std::deque<int> numbers_;
  bool closed_ = false;
};

}  // namespace seda::testing_support
