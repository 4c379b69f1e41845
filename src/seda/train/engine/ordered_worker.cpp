// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/ordered_worker.h"

#include <utility>

#include "seda/base/thread.h"

namespace seda::train {

OrderedWorker::OrderedWorker(const std::string& name)
    : thread_([this, name](const std::stop_token& stop) {
        set_thread_name(name);
        work(stop);
      }) {}

OrderedWorker::~OrderedWorker() {
  thread_.request_stop();
  thread_.join();
}

void OrderedWorker::post(std::function<void()> call) {
  const MutexLock lock(mutex_);
  if (failure_) return;
  calls_.push_back(std::move(call));
  changed_.notify_all();
}

void OrderedWorker::wait() {
  const MutexLock lock(mutex_);
  while (busy_ || !calls_.empty())
    changed_.wait(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

/// The next call, or none when it is time to stop.
std::function<void()> OrderedWorker::next(const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  while (calls_.empty() && !stop.stop_requested())
    changed_.wait(mutex_, stop);
  if (stop.stop_requested()) return {};
  busy_ = true;
  auto call = std::move(calls_.front());
  calls_.pop_front();
  return call;
}

void OrderedWorker::done(std::exception_ptr failure) {
  const MutexLock lock(mutex_);
  busy_ = false;
  if (failure) {
    failure_ = std::move(failure);
    calls_.clear();
  }
  changed_.notify_all();
}

void OrderedWorker::work(const std::stop_token& stop) {
  while (const auto call = next(stop)) {
    std::exception_ptr failure;
    try {
      call();
    } catch (...) {
      failure = std::current_exception();
    }
    done(std::move(failure));
  }
}

}  // namespace seda::train
