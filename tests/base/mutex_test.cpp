// SPDX-License-Identifier: Apache-2.0
#include "seda/base/mutex.h"

#include <chrono>
#include <stop_token>
#include <thread>

#include <gtest/gtest.h>

#include "tests/support/threads.h"

namespace seda {
namespace {

/// A number and a flag that several threads change.
class Shared {
 public:
  void increment() {
    const MutexLock lock(mutex_);
    ++number_;
  }
  int number() {
    const MutexLock lock(mutex_);
    return number_;
  }
  void open_one() {
    const MutexLock lock(mutex_);
    ++open_;
    condition_.notify_one();
  }
  void open_all(int places) {
    const MutexLock lock(mutex_);
    open_ += places;
    condition_.notify_all();
  }
  void pass() {
    const MutexLock lock(mutex_);
    while (open_ == 0)
      condition_.wait(mutex_);
    --open_;
    ++number_;
  }
  bool wait_for(std::chrono::nanoseconds timeout) {
    const MutexLock lock(mutex_);
    while (open_ == 0) {
      if (!condition_.wait_for(mutex_, timeout)) return open_ != 0;
    }
    return true;
  }

 private:
  Mutex mutex_;
  Condition condition_;
  int number_ SEDA_GUARDED_BY(mutex_) = 0;
  int open_ SEDA_GUARDED_BY(mutex_) = 0;
};

TEST(Mutex, OneAtATime) {
  Shared shared;
  testing_support::run_threads(4, [&shared](size_t) {
    for (int i = 0; i < 10'000; ++i)
      shared.increment();
  });
  EXPECT_EQ(shared.number(), 40'000);
}

TEST(MutexLock, LetsGoAtTheEndOfItsScope) {
  Mutex mutex;
  for (int i = 0; i < 2; ++i) {
    const MutexLock lock(mutex);  // would hang if the first were still held
  }
}

TEST(Condition, WakesAThreadThatWaits) {
  Shared shared;
  std::jthread waiter([&shared] { shared.pass(); });
  shared.open_one();
  waiter.join();
  EXPECT_EQ(shared.number(), 1);
}

TEST(Condition, WakesAllThatWait) {
  Shared shared;
  {
    const auto waiters = testing_support::start_threads(4, [&shared](size_t) { shared.pass(); });
    shared.open_all(4);
  }
  EXPECT_EQ(shared.number(), 4);
}

TEST(Condition, WaitForTellsThatTimePassed) {
  Shared shared;
  EXPECT_FALSE(shared.wait_for(std::chrono::microseconds(100)));
  shared.open_one();
  EXPECT_TRUE(shared.wait_for(std::chrono::hours(1)));
}

TEST(Condition, WaitForIsWokenBeforeItsTime) {
  Shared shared;
  bool opened = false;
  std::jthread waiter([&] { opened = shared.wait_for(std::chrono::hours(1)); });
  shared.open_one();
  waiter.join();
  EXPECT_TRUE(opened);
}

TEST(Condition, StopWakesTheWaiting) {
  Mutex mutex;
  Condition condition;
  std::stop_source stop;
  std::jthread waiting([&, token = stop.get_token()] {
    const MutexLock lock(mutex);
    while (!token.stop_requested())
      condition.wait(mutex, token);
  });
  stop.request_stop();
  waiting.join();
  SUCCEED();
}

TEST(Condition, NotificationWakesWhoAlsoListensForAStop) {
  Mutex mutex;
  Condition condition;
  const std::stop_source stop;
  bool open = false;
  std::jthread waiting([&, token = stop.get_token()] {
    const MutexLock lock(mutex);
    while (!open)
      condition.wait(mutex, token);
  });
  {
    const MutexLock lock(mutex);
    open = true;
    condition.notify_all();
  }
  waiting.join();
  SUCCEED();
}

}  // namespace
}  // namespace seda
