// SPDX-License-Identifier: Apache-2.0
#include "seda/base/interrupt.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <latch>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/parallel.h"

namespace seda {
namespace {

TEST(Interrupt, NothingHappensUntilASignal) {
  const InterruptHandler handler;
  EXPECT_FALSE(interrupted());
  EXPECT_FALSE(handler.token().stop_requested());
  EXPECT_NO_THROW(throw_if_interrupted());
}

TEST(Interrupt, EitherSignalSetsTheFlag) {
  for (const int number : {SIGINT, SIGTERM}) {
    const InterruptHandler handler;
    std::raise(number);
    EXPECT_TRUE(interrupted());
    try {
      throw_if_interrupted();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::interrupted);
    }
  }
}

TEST(Interrupt, AStopScopeCountsForItsThreadAndItsLife) {
  std::stop_source asked;
  asked.request_stop();
  {
    const StopScope scope(asked.get_token());
    EXPECT_THROW(throw_if_interrupted(), Error);
    std::jthread([] { EXPECT_FALSE(interrupted()); }).join();
    {
      const StopScope inner{std::stop_token()};
      EXPECT_FALSE(interrupted());
    }
    EXPECT_TRUE(interrupted());
  }
  EXPECT_FALSE(interrupted());
  EXPECT_EQ(interrupt_signal(), 0);
}

TEST(Interrupt, ThreadsThatWorkForAScopeHeedItToo) {
  std::stop_source asked;
  const StopScope scope(asked.get_token());
  std::atomic<int> begun = 0;
  EXPECT_THROW(parallel_for(1000, {.threads = 3},
                            [&](size_t, size_t) {
                              ++begun;
                              asked.request_stop();
                            }),
               Error);
  EXPECT_LE(begun, 3);
}

TEST(Interrupt, WakesAThreadThatWaits) {
  const InterruptHandler handler;
  std::mutex mutex;
  std::condition_variable_any condition;
  std::latch waiting(1);
  bool woken = false;
  std::jthread waiter([&] {
    std::unique_lock lock(mutex);
    waiting.count_down();
    woken = !condition.wait(lock, handler.token(), [] { return false; });
  });
  waiting.wait();
  std::raise(SIGINT);
  waiter.join();
  EXPECT_TRUE(woken);
}

TEST(Interrupt, CallbacksRunOutsideTheSignalHandler) {
  const InterruptHandler handler;
  std::latch called(1);
  std::thread::id where;
  const std::stop_callback callback(handler.token(), [&] {
    where = std::this_thread::get_id();
    called.count_down();
  });
  std::raise(SIGTERM);
  called.wait();
  EXPECT_NE(where, std::this_thread::get_id());
}

TEST(Interrupt, ASecondSigtermIsPatient) {
  const InterruptHandler handler;
  std::raise(SIGINT);
  std::raise(SIGTERM);
  std::raise(SIGTERM);
  EXPECT_TRUE(interrupted());
}

TEST(Interrupt, LeavesEverythingAsItWas) {
  struct sigaction before{};
  struct sigaction after{};
  sigaction(SIGINT, nullptr, &before);
  {
    const InterruptHandler handler;
    std::raise(SIGINT);
    EXPECT_TRUE(interrupted());
  }
  sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
  EXPECT_FALSE(interrupted());
  const InterruptHandler again;
  EXPECT_FALSE(again.token().stop_requested());
}

TEST(Interrupt, TwoAtOnceAreOurOwnMistake) {
  const InterruptHandler handler;
  EXPECT_THROW(InterruptHandler(), Error);
  std::raise(SIGINT);
  EXPECT_TRUE(interrupted()) << "the first still works";
}

TEST(Interrupt, WhatFollowsAtOnceIsTheSameWish) {
  const InterruptHandler handler(std::chrono::hours(1));
  std::raise(SIGINT);
  std::raise(SIGINT);
  std::raise(SIGTERM);
  std::raise(SIGINT);
  EXPECT_TRUE(interrupted()) << "and the process is still there";
  EXPECT_EQ(interrupt_signal(), SIGINT);
}

TEST(InterruptDeathTest, ALaterSigintEndsTheProcessAtOnce) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const int first : {SIGINT, SIGTERM}) {
    EXPECT_EXIT(
        {
          const InterruptHandler handler(std::chrono::nanoseconds(0));
          std::raise(first);
          std::raise(SIGINT);
          _exit(0);
        },
        testing::ExitedWithCode(130), "");
  }
}

TEST(InterruptDeathTest, HalfASecondTellsOneWishFromTwo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const InterruptHandler handler;
        std::raise(SIGINT);
        std::this_thread::sleep_for(InterruptHandler::kOneWish);
        std::raise(SIGINT);
        _exit(0);
      },
      testing::ExitedWithCode(130), "");
}

}  // namespace
}  // namespace seda
