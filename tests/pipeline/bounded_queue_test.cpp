// SPDX-License-Identifier: Apache-2.0
#include "seda/pipeline/bounded_queue.h"

#include <atomic>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pipeline/eventually.h"
#include "tests/support/error_message.h"
#include "tests/support/threads.h"

namespace seda::pipeline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::eventually;

constexpr int64_t kSecond = 1'000'000'000;

class BoundedQueueTest : public testing::Test {
 protected:
  /// Moves the clock until someone is seen to wait.
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
  void fill() {
    ASSERT_TRUE(queue_.put(1));
    ASSERT_TRUE(queue_.put(2));
  }

  ManualClock clock_;
  BoundedQueue<int> queue_{2, clock_};
};

TEST_F(BoundedQueueTest, GivesInTheOrderOfPuts) {
  for (int round = 0; round < 5; ++round) {
    fill();
    EXPECT_EQ(queue_.get(), 1);
    EXPECT_EQ(queue_.get(), 2);
  }
}

TEST_F(BoundedQueueTest, PutWaitsForRoom) {
  fill();
  std::jthread producer([this] { EXPECT_TRUE(queue_.put(3)); });
  EXPECT_TRUE(producer_waits());
  EXPECT_EQ(queue_.get(), 1);
  producer.join();
  EXPECT_EQ(queue_.get(), 2);
  EXPECT_EQ(queue_.get(), 3);
}

TEST_F(BoundedQueueTest, GetWaitsForAnItem) {
  std::jthread consumer([this] { EXPECT_EQ(queue_.get(), 7); });
  EXPECT_TRUE(consumer_waits());
  EXPECT_TRUE(queue_.put(7));
}

TEST_F(BoundedQueueTest, CloseWakesBlockedProducer) {
  fill();
  std::jthread producer([this] { EXPECT_FALSE(queue_.put(3)); });
  EXPECT_TRUE(producer_waits());
  queue_.close();
}

TEST_F(BoundedQueueTest, CloseWakesBlockedConsumer) {
  std::jthread consumer([this] { EXPECT_EQ(queue_.get(), std::nullopt); });
  EXPECT_TRUE(consumer_waits());
  queue_.close();
}

TEST_F(BoundedQueueTest, ClosedRefusesPutsAndDrains) {
  fill();
  queue_.close();
  EXPECT_FALSE(queue_.put(3));
  EXPECT_EQ(queue_.get(), 1);
  EXPECT_FALSE(queue_.put(3));
  EXPECT_EQ(queue_.get(), 2);
  EXPECT_EQ(queue_.get(), std::nullopt);
}

TEST_F(BoundedQueueTest, StopWakesBlockedProducerAndKeepsTheItemsBefore) {
  fill();
  std::stop_source stop;
  std::jthread producer([this, &stop] { EXPECT_FALSE(queue_.put(3, stop.get_token())); });
  EXPECT_TRUE(producer_waits());
  stop.request_stop();
  producer.join();
  EXPECT_EQ(queue_.get(), 1);
  EXPECT_EQ(queue_.get(), 2);
}

TEST_F(BoundedQueueTest, StopWakesBlockedConsumer) {
  std::stop_source stop;
  std::jthread consumer([this, &stop] { EXPECT_EQ(queue_.get(stop.get_token()), std::nullopt); });
  EXPECT_TRUE(consumer_waits());
  stop.request_stop();
}

TEST_F(BoundedQueueTest, StopEndsOnlyWaiting) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(queue_.put(1, stop.get_token()));
  EXPECT_EQ(queue_.get(stop.get_token()), 1);
  EXPECT_EQ(queue_.get(stop.get_token()), std::nullopt);
}

TEST_F(BoundedQueueTest, MeasuresTimeAtEachSize) {
  clock_.advance_ns(1 * kSecond);
  ASSERT_TRUE(queue_.put(1));
  clock_.advance_ns(2 * kSecond);
  ASSERT_TRUE(queue_.put(2));
  clock_.advance_ns(4 * kSecond);
  queue_.get();
  clock_.advance_ns(1 * kSecond);
  const QueueStatistics statistics = queue_.statistics();
  EXPECT_THAT(statistics.seconds_at, ElementsAre(1, 3, 4));
  EXPECT_DOUBLE_EQ(statistics.mean_occupancy(), (1 * 3 + 2 * 4) / 8.0);
  EXPECT_DOUBLE_EQ(statistics.empty_share(), 1 / 8.0);
  EXPECT_DOUBLE_EQ(statistics.full_share(), 4 / 8.0);
  EXPECT_EQ(statistics.puts, 2U);
  EXPECT_EQ(statistics.gets, 1U);
  EXPECT_EQ(statistics.size, 1U);
}

TEST_F(BoundedQueueTest, WaitsCountWhileTheyLast) {
  std::jthread consumer([this] { queue_.get(); });
  EXPECT_TRUE(consumer_waits());
  const double before = queue_.statistics().blocked_get_s;
  clock_.advance_ns(5 * kSecond);
  EXPECT_NEAR(queue_.statistics().blocked_get_s, before + 5, 1e-9);
  queue_.close();
  consumer.join();
  const double after = queue_.statistics().blocked_get_s;
  clock_.advance_ns(5 * kSecond);
  EXPECT_DOUBLE_EQ(queue_.statistics().blocked_get_s, after);
  EXPECT_EQ(queue_.statistics().blocked_put_s, 0);
}

TEST_F(BoundedQueueTest, StatisticsOfAnInterval) {
  ASSERT_TRUE(queue_.put(1));
  clock_.advance_ns(3 * kSecond);
  const QueueStatistics earlier = queue_.statistics();
  queue_.get();
  clock_.advance_ns(2 * kSecond);
  const QueueStatistics between = queue_.statistics().since(earlier);
  EXPECT_EQ(between.puts, 0U);
  EXPECT_EQ(between.gets, 1U);
  EXPECT_THAT(between.seconds_at, ElementsAre(2, 0, 0));
}

TEST_F(BoundedQueueTest, NoTimeHasNoOccupancy) {
  EXPECT_EQ(queue_.statistics().mean_occupancy(), 0);
  EXPECT_EQ(QueueStatistics{}.empty_share(), 0);
  EXPECT_EQ(QueueStatistics{}.full_share(), 0);
}

TEST(BoundedQueue, WithoutRoomIsRefused) {
  const ManualClock clock;
  EXPECT_THAT(testing_support::error_message([&] { BoundedQueue<int> queue(0, clock); }),
              HasSubstr("room for one"));
}

TEST(BoundedQueue, HoldsItemsThatOnlyMoveAndDropsWhatIsLeft) {
  const ManualClock clock;
  const auto item = std::make_shared<int>(3);
  {
    BoundedQueue<std::shared_ptr<int>> queue(3, clock);
    ASSERT_TRUE(queue.put(item));
    ASSERT_TRUE(queue.put(item));
    EXPECT_EQ(queue.get(), item);
    EXPECT_EQ(item.use_count(), 2);  // a place that was emptied keeps nothing
  }
  EXPECT_EQ(item.use_count(), 1);
  BoundedQueue<std::unique_ptr<int>> unique(1, clock);
  ASSERT_TRUE(unique.put(std::make_unique<int>(4)));
  EXPECT_EQ(**unique.get(), 4);
}

TEST(BoundedQueue, ManyThreadsLoseAndDoubleNothing) {
  constexpr int kItems = 4000;
  const SteadyClock clock;
  BoundedQueue<int> queue(3, clock);
  std::vector<std::atomic<int>> seen(4 * kItems);
  auto consumers = testing_support::start_threads(3, [&](size_t) {
    while (const auto item = queue.get())
      ++seen[static_cast<size_t>(*item)];
  });
  testing_support::run_threads(4, [&](size_t producer) {
    for (int i = 0; i < kItems; ++i)
      EXPECT_TRUE(queue.put(static_cast<int>(producer) * kItems + i));
  });
  queue.close();
  consumers.clear();
  EXPECT_THAT(seen, testing::Each(testing::Eq(1)));
  EXPECT_EQ(queue.statistics().gets, 4U * kItems);
}

}  // namespace
}  // namespace seda::pipeline
