// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <exception>
#include <functional>
#include <string>
#include <thread>

#include "seda/base/mutex.h"

namespace seda::train {

/// A thread that makes calls one after another.
///
/// `post` may be called from any thread. After a call has thrown, those behind it are dropped; the
/// next `wait` throws it again. Its end drops what has not begun.
class OrderedWorker {
 public:
  explicit OrderedWorker(const std::string& name);
  ~OrderedWorker();
  OrderedWorker(const OrderedWorker&) = delete;
  OrderedWorker& operator=(const OrderedWorker&) = delete;

  void post(std::function<void()> call);

  /// Waits until all calls are made.
  void wait();

 private:
  void work(const std::stop_token& stop);
  std::function<void()> next(const std::stop_token& stop);
  void done(std::exception_ptr failure);

  Mutex mutex_;
  Condition changed_;
  std::deque<std::function<void()>> calls_ SEDA_GUARDED_BY(mutex_);
  bool busy_ SEDA_GUARDED_BY(mutex_) = false;
  std::exception_ptr failure_ SEDA_GUARDED_BY(mutex_);
  std::jthread thread_;
};

}  // namespace seda::train
