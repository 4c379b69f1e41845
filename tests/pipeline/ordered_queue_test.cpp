// SPDX-License-Identifier: Apache-2.0
#include "seda/pipeline/ordered_queue.h"

#include <atomic>
#include <optional>
#include <stop_token>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/random.h"
#include "tests/pipeline/eventually.h"
#include "tests/support/error_message.h"
#include "tests/support/threads.h"

namespace seda::pipeline {
namespace {

using testing::HasSubstr;
using testing_support::error_message;
using testing_support::eventually;

class OrderedQueueTest : public testing::Test {
 protected:
  bool producer_waits() {
    return eventually([this] {
      clock_.advance_ns(1);
      return queue_.statistics().blocked_put_s > 0;
    });
  }
  bool consumer_waits() {
    return eventually([this] {
      clock_.advance_ns(1);
      return queue_.statistics().blocked_get_s > 0;
    });
  }

  ManualClock clock_;
  OrderedQueue<char> queue_{3, clock_};
};

TEST_F(OrderedQueueTest, HandsOnByNumber) {
  ASSERT_TRUE(queue_.put(2, 'c'));
  ASSERT_TRUE(queue_.put(0, 'a'));
  ASSERT_TRUE(queue_.put(1, 'b'));
  EXPECT_EQ(queue_.get(), 'a');
  EXPECT_EQ(queue_.get(), 'b');
  ASSERT_TRUE(queue_.put(4, 'e'));
  EXPECT_EQ(queue_.get(), 'c');
  ASSERT_TRUE(queue_.put(3, 'd'));
  EXPECT_EQ(queue_.get(), 'd');
  EXPECT_EQ(queue_.get(), 'e');
}

TEST_F(OrderedQueueTest, GetWaitsForTheOneDue) {
  ASSERT_TRUE(queue_.put(1, 'b'));
  std::jthread consumer([this] { EXPECT_EQ(queue_.get(), 'a'); });
  EXPECT_TRUE(consumer_waits());
  ASSERT_TRUE(queue_.put(0, 'a'));
}

TEST_F(OrderedQueueTest, BeyondTheWindowPutWaitsButTheOneDueNever) {
  ASSERT_TRUE(queue_.put(1, 'b'));
  ASSERT_TRUE(queue_.put(2, 'c'));
  std::jthread eager([this] { EXPECT_TRUE(queue_.put(3, 'd')); });
  EXPECT_TRUE(producer_waits());
  ASSERT_TRUE(queue_.put(0, 'a'));
  for (const char expected : {'a', 'b', 'c', 'd'})
    EXPECT_EQ(queue_.get(), expected);
}

TEST_F(OrderedQueueTest, CloseWakesBothSides) {
  std::jthread consumer([this] { EXPECT_EQ(queue_.get(), std::nullopt); });
  std::jthread producer([this] { EXPECT_FALSE(queue_.put(3, 'd')); });
  EXPECT_TRUE(consumer_waits());
  EXPECT_TRUE(producer_waits());
  queue_.close();
}

TEST_F(OrderedQueueTest, ClosedDrainsUpToTheFirstGap) {
  ASSERT_TRUE(queue_.put(0, 'a'));
  ASSERT_TRUE(queue_.put(2, 'c'));
  queue_.close();
  EXPECT_FALSE(queue_.put(1, 'b'));
  EXPECT_EQ(queue_.get(), 'a');
  EXPECT_EQ(queue_.get(), std::nullopt);
}

TEST_F(OrderedQueueTest, StopWakesBothSides) {
  std::stop_source stop;
  std::jthread consumer([&] { EXPECT_EQ(queue_.get(stop.get_token()), std::nullopt); });
  std::jthread producer([&] { EXPECT_FALSE(queue_.put(3, 'd', stop.get_token())); });
  EXPECT_TRUE(consumer_waits());
  EXPECT_TRUE(producer_waits());
  stop.request_stop();
}

TEST_F(OrderedQueueTest, TheSameNumberTwiceIsABug) {
  ASSERT_TRUE(queue_.put(0, 'a'));
  EXPECT_THAT(error_message([this] { queue_.put(0, 'a'); }), HasSubstr("put twice"));
  queue_.get();
  EXPECT_THAT(error_message([this] { queue_.put(0, 'a'); }), HasSubstr("1 is due"));
}

TEST(OrderedQueue, WithoutAWindowIsRefused) {
  const ManualClock clock;
  EXPECT_THAT(error_message([&] { OrderedQueue<int> queue(0, clock); }), HasSubstr("window"));
}

TEST(OrderedQueue, ManyWorkersOfUnevenSpeedKeepTheOrder) {
  constexpr uint64_t kItems = 5000;
  const SteadyClock clock;
  OrderedQueue<uint64_t> queue(2, clock);  // fewer places than workers
  std::atomic<uint64_t> ticket{0};
  auto workers = testing_support::start_threads(5, [&](size_t index) {
    Random random(index);
    for (uint64_t number = ticket++; number < kItems; number = ticket++) {
      if (random.uniform(0, 1) < 0.05) std::this_thread::yield();
      EXPECT_TRUE(queue.put(number, number));
    }
  });
  for (uint64_t expected = 0; expected < kItems; ++expected)
    ASSERT_EQ(queue.get(), expected);
}

}  // namespace
}  // namespace seda::pipeline
