// SPDX-License-Identifier: Apache-2.0
#include "seda/pipeline/slot_ring.h"

#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/device/platform.h"
#include "tests/pipeline/eventually.h"
#include "tests/support/error_message.h"
#include "tests/support/manual_clock.h"

namespace seda::pipeline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::error_message;
using testing_support::eventually;
using testing_support::ManualClock;

constexpr int64_t kSecond = 1'000'000'000;

/// A ring of three numbers on the CPU.
class SlotRingTest : public testing::Test {
 protected:
  void publish(int number) {
    auto slot = ring_.acquire(stream_);
    ASSERT_TRUE(slot);
    **slot = number;
    slot->publish();
  }
  /// The next number, or -1.
  int take() {
    const auto slot = ring_.next(stream_);
    return slot ? **slot : -1;
  }
  bool producer_waits() {
    return eventually([this] { return ring_.statistics().free_waits > 0; });
  }
  bool consumer_waits() {
    return eventually([this] { return ring_.statistics().ready_waits > 0; });
  }
  auto slots() { return ring_.statistics().slots; }
  static std::exception_ptr an_error() {
    return std::make_exception_ptr(Error(ErrorKind::io, "mel: no disk"));
  }

  device::Platform platform_{device::make_cpu_backend(), device::make_cpu_backend()};
  device::StreamView stream_ = platform_.default_stream(device::kCpu);
  ManualClock clock_;
  SlotRing<int> ring_{{10, 11, 12}, stream_, stream_, clock_};
};

TEST_F(SlotRingTest, GoesThroughItsStates) {
  EXPECT_THAT(slots(), ElementsAre(3, 0, 0, 0));
  auto filling = ring_.acquire(stream_);
  EXPECT_THAT(slots(), ElementsAre(2, 1, 0, 0));
  filling->publish();
  EXPECT_THAT(slots(), ElementsAre(2, 0, 1, 0));
  auto using_it = ring_.next(stream_);
  EXPECT_THAT(slots(), ElementsAre(2, 0, 0, 1));
  using_it->release();
  EXPECT_THAT(slots(), ElementsAre(3, 0, 0, 0));
}

TEST_F(SlotRingTest, GoesRoundAndRound) {
  for (int number = 0; number < 10; number += 2) {
    publish(number);
    publish(number + 1);
    EXPECT_EQ(take(), number);
    EXPECT_EQ(take(), number + 1);
  }
  EXPECT_EQ(ring_.statistics().published, 10U);
  EXPECT_EQ(ring_.statistics().taken, 10U);
}

TEST_F(SlotRingTest, ComesInTheOrderOfAcquire) {
  auto first = ring_.acquire(stream_);
  auto second = ring_.acquire(stream_);
  **first = 1;
  **second = 2;
  second->publish();
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(ring_.next(stream_, stop.get_token()));  // the second waits for its turn
  first->publish();
  EXPECT_EQ(take(), 1);
  EXPECT_EQ(take(), 2);
}

TEST_F(SlotRingTest, ASlotGivenBackUnfilledIsPassedOver) {
  auto second = [this] {
    const auto first = ring_.acquire(stream_);
    return ring_.acquire(stream_);
  }();
  **second = 2;
  second->publish();
  EXPECT_EQ(take(), 2);
  EXPECT_EQ(ring_.statistics().abandoned, 1U);
  EXPECT_THAT(slots(), ElementsAre(3, 0, 0, 0));
}

TEST_F(SlotRingTest, AcquireWaitsForAFreeSlot) {
  for (const int number : {1, 2, 3})
    publish(number);
  std::jthread producer([this] { publish(4); });
  EXPECT_TRUE(producer_waits());
  for (const int number : {1, 2, 3, 4})
    EXPECT_EQ(take(), number);
}

TEST_F(SlotRingTest, NextWaitsForAReadySlot) {
  std::jthread consumer([this] { EXPECT_EQ(take(), 5); });
  EXPECT_TRUE(consumer_waits());
  publish(5);
}

TEST_F(SlotRingTest, AwaitNextTellsWhetherNextWouldWait) {
  using std::chrono::milliseconds;
  EXPECT_FALSE(ring_.await_next(milliseconds(1)));
  EXPECT_EQ(ring_.statistics().ready_waits, 1U);
  publish(5);
  EXPECT_TRUE(ring_.await_next(milliseconds(0)));
  EXPECT_EQ(take(), 5);
  std::jthread consumer([this] {
    while (!ring_.await_next(milliseconds(1000))) {
    }
    EXPECT_EQ(take(), 6);
  });
  EXPECT_TRUE(eventually([this] { return ring_.statistics().ready_waits > 1; }));
  publish(6);
}

TEST_F(SlotRingTest, AwaitNextEndsWithTheRing) {
  std::jthread consumer([this] {
    while (!ring_.await_next(std::chrono::milliseconds(1000))) {
    }
    EXPECT_THAT(error_message([this] { ring_.next(stream_); }), HasSubstr("no disk"));
  });
  EXPECT_TRUE(consumer_waits());
  ring_.fail(an_error());
  consumer.join();
  EXPECT_TRUE(ring_.await_next(std::chrono::milliseconds(0)));
}

TEST_F(SlotRingTest, ExceptionWhileFillingOrUsingGivesTheSlotBack) {
  EXPECT_THROW(
      {
        const auto slot = ring_.acquire(stream_);
        throw std::runtime_error("while filling");
      },
      std::runtime_error);
  EXPECT_THAT(slots(), ElementsAre(3, 0, 0, 0));
  publish(1);
  EXPECT_THROW(
      {
        const auto slot = ring_.next(stream_);
        throw std::runtime_error("while using");
      },
      std::runtime_error);
  EXPECT_THAT(slots(), ElementsAre(3, 0, 0, 0));
}

TEST_F(SlotRingTest, StopWakesBothSides) {
  std::stop_source stop;
  std::jthread consumer([&] { EXPECT_FALSE(ring_.next(stream_, stop.get_token())); });
  EXPECT_TRUE(consumer_waits());
  stop.request_stop();
  consumer.join();
  for (const int number : {1, 2, 3})
    publish(number);
  std::stop_source again;
  std::jthread producer([&] { EXPECT_FALSE(ring_.acquire(stream_, again.get_token())); });
  EXPECT_TRUE(producer_waits());
  again.request_stop();
}

TEST_F(SlotRingTest, CloseWakesBothSides) {
  std::jthread consumer([this] { EXPECT_EQ(take(), -1); });
  EXPECT_TRUE(consumer_waits());
  ring_.close();
  consumer.join();
  EXPECT_FALSE(ring_.acquire(stream_));
}

TEST_F(SlotRingTest, CloseWakesAProducerThatWaitsForASlot) {
  for (const int number : {1, 2, 3})
    publish(number);
  std::jthread producer([this] { EXPECT_FALSE(ring_.acquire(stream_)); });
  EXPECT_TRUE(producer_waits());
  ring_.close();
}

TEST_F(SlotRingTest, ClosedDrainsWithWhatIsStillBeingFilled) {
  publish(1);
  auto last = ring_.acquire(stream_);
  ring_.close();
  EXPECT_EQ(take(), 1);
  std::jthread consumer([this] {
    EXPECT_EQ(take(), 2);
    EXPECT_EQ(take(), -1);
  });
  EXPECT_TRUE(consumer_waits());
  **last = 2;
  last->publish();
}

TEST_F(SlotRingTest, ClosedEndsWhenTheLastFillingIsGivenUp) {
  auto last = ring_.acquire(stream_);
  ring_.close();
  std::jthread consumer([this] { EXPECT_EQ(take(), -1); });
  EXPECT_TRUE(consumer_waits());
  last.reset();
}

TEST_F(SlotRingTest, ErrorWakesBothSidesAndReachesTheConsumer) {
  std::string seen;
  {
    std::jthread consumer([&] { seen = error_message([this] { take(); }); });
    EXPECT_TRUE(consumer_waits());
    ring_.fail(an_error());
  }
  EXPECT_EQ(seen, "mel: no disk");
  EXPECT_FALSE(ring_.acquire(stream_));
}

TEST_F(SlotRingTest, FirstErrorIsKept) {
  ring_.fail(an_error());
  ring_.fail(std::make_exception_ptr(Error(ErrorKind::io, "later")));
  EXPECT_EQ(error_message([this] { take(); }), "mel: no disk");
}

TEST_F(SlotRingTest, AfterAnErrorEverySlotComesBack) {
  publish(1);
  auto in_use = ring_.next(stream_);
  publish(2);
  auto filling = ring_.acquire(stream_);
  ring_.fail(an_error());
  EXPECT_THAT(slots(), ElementsAre(1, 1, 0, 1));
  filling->publish();
  in_use->release();
  EXPECT_THAT(slots(), ElementsAre(3, 0, 0, 0));
  EXPECT_EQ(error_message([this] { take(); }), "mel: no disk");
}

TEST_F(SlotRingTest, MeasuresHowLongSlotsStay) {
  clock_.advance_ns(1 * kSecond);
  auto filling = ring_.acquire(stream_);
  clock_.advance_ns(2 * kSecond);
  filling->publish();
  clock_.advance_ns(4 * kSecond);
  auto in_use = ring_.next(stream_);
  clock_.advance_ns(8 * kSecond);
  in_use->release();
  clock_.advance_ns(16 * kSecond);
  const SlotStatistics statistics = ring_.statistics();
  EXPECT_DOUBLE_EQ(statistics.dwell(SlotState::filling), 2);
  EXPECT_DOUBLE_EQ(statistics.dwell(SlotState::ready), 4);
  EXPECT_DOUBLE_EQ(statistics.dwell(SlotState::in_use), 8);
  EXPECT_DOUBLE_EQ(statistics.dwell(SlotState::free), 2 * 31 + 1 + 16);
}

TEST_F(SlotRingTest, WaitsCountWhileTheyLast) {
  std::jthread consumer([this] { take(); });
  EXPECT_TRUE(consumer_waits());
  clock_.advance_ns(3 * kSecond);
  EXPECT_DOUBLE_EQ(ring_.statistics().ready_wait_s, 3);
  ring_.close();
  consumer.join();
  clock_.advance_ns(3 * kSecond);
  EXPECT_DOUBLE_EQ(ring_.statistics().ready_wait_s, 3);
  EXPECT_EQ(ring_.statistics().ready_waits, 1U);
  EXPECT_EQ(ring_.statistics().free_waits, 0U);
}

TEST_F(SlotRingTest, OneSlotIsNoRing) {
  EXPECT_THAT(error_message([this] { SlotRing<int>({1}, stream_, stream_, clock_); }),
              HasSubstr("at least 2 slots, not 1"));
}

}  // namespace
}  // namespace seda::pipeline
