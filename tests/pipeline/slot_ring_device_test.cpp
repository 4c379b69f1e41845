// SPDX-License-Identifier: Apache-2.0
// The ring between streams of fake GPUs, whose work is held back and let go by hand.

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/base/random.h"
#include "seda/device/buffer.h"
#include "seda/device/copy.h"
#include "seda/device/pinned_resource.h"
#include "seda/device/plain_resource.h"
#include "seda/pipeline/slot_ring.h"
#include "seda/pipeline/worker_pool.h"
#include "tests/pipeline/eventually.h"
#include "tests/support/allocations.h"
#include "tests/support/error_message.h"
#include "tests/support/fake_backend.h"

namespace seda::pipeline {
namespace {

using device::Buffer;
using device::Device;
using device::Stream;
using device::StreamView;
using testing::ElementsAre;
using testing::IsEmpty;
using testing_support::error_message;
using testing_support::FakePlatform;
using testing_support::ThreadCensus;

constexpr size_t kBytes = 64;

/// A ring of buffers, filled on one GPU and used on the same or another.
struct Rig {
  explicit Rig(int consumer_index, size_t slots = 2)
      : producer(fake.platform, device::cuda(0)),
        consumer(fake.platform, device::cuda(consumer_index)),
        source_memory(fake.platform, producer.device()),
        slot_memory(fake.platform, consumer.device()),
        pinned(fake.platform, device::cuda(0)),
        ring(buffers(slots), producer, consumer, clock) {
    for (int value = 0; value < 256; ++value) {
      sources.emplace_back(kBytes, source_memory, producer.view());
      fill(sources.back().location(), static_cast<std::byte>(value), kBytes, producer);
    }
    fake.backend->when_host_waits([this] { ++host_waits; });
  }

  std::vector<Buffer> buffers(size_t slots) {
    std::vector<Buffer> made;
    for (size_t i = 0; i < slots; ++i)
      made.emplace_back(kBytes, slot_memory, consumer.view());
    return made;
  }

  /// Enqueues a copy from the producer's device.
  void fill_slot(const Buffer& slot, int value, StreamView stream) {
    copy(slot.location(), sources[static_cast<size_t>(value)].location(), kBytes, stream);
  }
  /// Enqueues the filling of the next free slot.
  void produce(int value, StreamView stream, const std::stop_token& stop = {}) {
    auto slot = ring.acquire(stream, stop);
    ASSERT_TRUE(slot);
    fill_slot(**slot, value, stream);
    slot->publish();
  }
  /// Enqueues a copy of the next slot to page-locked memory.
  void consume(const Buffer& to) {
    auto slot = ring.next(consumer);
    ASSERT_TRUE(slot);
    copy(to.location(), (*slot)->location(), kBytes, consumer);
    slot->release();
  }
  Buffer result() { return {kBytes, pinned, consumer}; }
  static int value(const Buffer& buffer) { return std::to_integer<int>(buffer.as<std::byte>()[0]); }

  FakePlatform fake;
  std::atomic<int> host_waits{0};
  SteadyClock clock;
  Stream producer;
  Stream consumer;
  device::PlainResource source_memory;
  device::PlainResource slot_memory;
  device::PinnedResource pinned;
  std::vector<Buffer> sources;  ///< Of each value a byte can have.
  SlotRing<Buffer> ring;
};

class SlotRingOnDevices : public testing::TestWithParam<int> {
 protected:
  ~SlotRingOnDevices() override { EXPECT_THAT(rig_.fake.backend->violations(), IsEmpty()); }

  Rig rig_{GetParam()};
};

TEST_P(SlotRingOnDevices, ConsumerFollowsTheFilling) {
  const Buffer result = rig_.result();
  rig_.fake.backend->hold(rig_.producer);
  rig_.produce(7, rig_.producer);
  rig_.consume(result);
  EXPECT_FALSE(rig_.consumer.done());
  EXPECT_EQ(rig_.host_waits, 0);
  rig_.fake.backend->release(rig_.producer);
  EXPECT_TRUE(rig_.consumer.done());
  EXPECT_EQ(Rig::value(result), 7);
}

TEST_P(SlotRingOnDevices, FillingFollowsTheLastUseAndTheHostNeverWaits) {
  std::vector<Buffer> results;
  for (int i = 0; i < 6; ++i)
    results.push_back(rig_.result());
  rig_.fake.backend->hold(rig_.consumer);
  for (int i = 0; i < 6; ++i) {
    rig_.produce(i, rig_.producer);
    rig_.consume(results[static_cast<size_t>(i)]);
  }
  EXPECT_FALSE(rig_.producer.done());  // the third filling waits for the first use
  EXPECT_EQ(rig_.host_waits, 0);
  rig_.fake.backend->release(rig_.consumer);
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(Rig::value(results[static_cast<size_t>(i)]), i);
}

TEST_P(SlotRingOnDevices, AnotherProducersFillingFollowsOneThatWasGivenUp) {
  const Stream other(rig_.fake.platform, device::cuda(0));
  const Buffer result = rig_.result();
  rig_.fake.backend->hold(rig_.producer);
  for (int i = 0; i < 2; ++i) {  // each slot once
    auto given_up = rig_.ring.acquire(rig_.producer);
    rig_.fill_slot(**given_up, 9, rig_.producer);
  }
  rig_.produce(1, other);
  rig_.consume(result);
  EXPECT_FALSE(other.done());
  rig_.fake.backend->release(rig_.producer);
  EXPECT_EQ(Rig::value(result), 1);
}

TEST_P(SlotRingOnDevices, AUseThatThrowsStillHoldsTheSlotUntilTheDeviceHasPassed) {
  const Buffer result = rig_.result();
  rig_.fake.backend->hold(rig_.consumer);
  rig_.produce(1, rig_.producer);
  try {
    auto slot = rig_.ring.next(rig_.consumer);
    copy(result.location(), (*slot)->location(), kBytes, rig_.consumer);
    throw 1;
  } catch (int) {
  }
  rig_.produce(2, rig_.producer);
  rig_.produce(3, rig_.producer);  // the slot of the first
  EXPECT_FALSE(rig_.producer.done());
  rig_.fake.backend->release(rig_.consumer);
  EXPECT_EQ(Rig::value(result), 1);
}

TEST_P(SlotRingOnDevices, AStreamOfAnotherDeviceIsRefusedAndTheSlotComesBack) {
  const StreamView wrong = rig_.fake.platform.default_stream(device::kCpu);
  auto slot = rig_.ring.acquire(rig_.producer);
  EXPECT_THAT(error_message([&] { slot->publish(wrong); }), testing::HasSubstr("cannot be"));
  slot.reset();
  EXPECT_THAT(rig_.ring.statistics().slots, ElementsAre(2, 0, 0, 0));
}

INSTANTIATE_TEST_SUITE_P(Consumer, SlotRingOnDevices, testing::Values(0, 1),
                         [](const auto& consumer) {
                           return consumer.param == 0 ? "OnTheSameGpu" : "OnAnotherGpu";
                         });

TEST(SlotRingOfHostMemory, HostWaitsOnlyForTheCopyOutOfTheSlot) {
  FakePlatform fake;
  const SteadyClock clock;
  const Stream gpu(fake.platform, device::cuda(0));
  const StreamView host = fake.platform.default_stream(device::kCpu);
  device::PinnedResource pinned(fake.platform, device::cuda(0));
  std::vector<Buffer> buffers;
  for (int i = 0; i < 2; ++i)
    buffers.emplace_back(kBytes, pinned, gpu.view());
  std::atomic<int> waits{0};
  fake.backend->when_host_waits([&] {
    ++waits;
    fake.backend->release(gpu);
  });
  SlotRing<Buffer> ring(std::move(buffers), host, gpu, clock);
  fake.backend->hold(gpu);
  for (int i = 0; i < 2; ++i) {
    ring.acquire(host)->publish();
    ring.next(gpu)->release();
  }
  EXPECT_EQ(waits, 0);
  EXPECT_TRUE(ring.acquire(host));
  EXPECT_EQ(waits, 1);
}

/// Stages on threads while the streams are held and let go at random: every batch arrives whole.
TEST(SlotRingStress, BatchesArriveWholeAndInOrder) {
  constexpr int kBatches = 400;
  const ThreadCensus census;
  Rig rig(1, 3);
  std::vector<Buffer> results;
  for (int i = 0; i < kBatches; ++i)
    results.push_back(rig.result());
  {
    std::jthread chaos([&](const std::stop_token& stop) {
      Random random(1);
      while (!stop.stop_requested()) {
        const StreamView stream = random.uniform(0, 1) < 0.5 ? rig.producer : rig.consumer;
        rig.fake.backend->hold(stream);
        std::this_thread::yield();
        rig.fake.backend->release(stream);
      }
    });
    std::jthread producer([&](const std::stop_token& stop) {
      for (int i = 0; i < kBatches; ++i)
        rig.produce(i % 251, rig.producer, stop);
      rig.ring.close();
    });
    for (const Buffer& result : results)
      rig.consume(result);
    EXPECT_FALSE(rig.ring.next(rig.consumer));
  }
  rig.consumer.synchronize();
  for (int i = 0; i < kBatches; ++i)
    ASSERT_EQ(Rig::value(results[static_cast<size_t>(i)]), i % 251);
  EXPECT_THAT(rig.fake.backend->violations(), IsEmpty());
  EXPECT_TRUE(census.all_gone());
}

TEST(SlotRingOfAStage, ErrorReachesTheConsumerWithTheStagesName) {
  const ThreadCensus census;
  {
    Rig rig(0);
    std::atomic<int> produced{0};
    const auto end = [&](const std::exception_ptr& error) {
      error ? rig.ring.fail(error) : rig.ring.close();
    };
    const WorkerPool pool({.name = "gather", .workers = 1, .when_done = end}, rig.clock,
                          [&](Worker& worker) -> bool {
                            if (++produced > 5) throw Error(ErrorKind::io, "part 3 is damaged");
                            rig.produce(1, rig.producer, worker.leaving);
                            return true;
                          });
    const std::string said = error_message([&] {
      while (rig.ring.next(rig.consumer)) {
      }
    });
    EXPECT_EQ(said, "gather: part 3 is damaged");
    EXPECT_THAT(rig.ring.statistics().slots, ElementsAre(2, 0, 0, 0));
  }
  EXPECT_TRUE(census.all_gone());
}

/// Where in a slot's life a side goes wrong.
enum class Point { before, with_slot, with_work, after };
/// And how.
enum class Trouble { throws, stops, stalls };

struct Accident {
  bool at_producer = false;
  Point point = Point::before;
  Trouble trouble = Trouble::throws;
};

/// A producer and a consumer, one of which meets an accident at the fifth batch.
class AccidentTest : public testing::TestWithParam<std::tuple<bool, Point, Trouble>> {
 protected:
  void meet(bool producer, Point point, int batch, Worker& worker) {
    if (producer != accident_.at_producer || point != accident_.point || batch != 5) return;
    if (accident_.trouble == Trouble::throws) throw Error(ErrorKind::io, "accident");
    if (accident_.trouble == Trouble::stops) {
      stop_requested_ = true;  // someone else stops all; this worker goes on
    } else {
      stop_requested_ = true;
      EXPECT_TRUE(testing_support::eventually([&] { return worker.stopping.stop_requested(); }));
    }
  }

  bool produce(Worker& worker) {
    const int batch = produced_++;
    meet(true, Point::before, batch, worker);
    auto slot = rig_.ring.acquire(rig_.producer, worker.leaving);
    if (!slot) return false;
    meet(true, Point::with_slot, batch, worker);
    rig_.fill_slot(**slot, 1, rig_.producer);
    meet(true, Point::with_work, batch, worker);
    slot->publish();
    meet(true, Point::after, batch, worker);
    return true;
  }

  bool consume(Worker& worker) {
    const int batch = consumed_++;
    meet(false, Point::before, batch, worker);
    auto slot = rig_.ring.next(rig_.consumer, worker.leaving);
    if (!slot) return false;
    meet(false, Point::with_slot, batch, worker);
    copy(result_.location(), (*slot)->location(), kBytes, rig_.consumer);
    meet(false, Point::with_work, batch, worker);
    slot->release();
    meet(false, Point::after, batch, worker);
    return true;
  }

  Accident accident_{std::get<0>(GetParam()), std::get<1>(GetParam()), std::get<2>(GetParam())};
  ThreadCensus census_;
  Rig rig_{1, 3};
  Buffer result_ = rig_.result();
  std::atomic<bool> stop_requested_{false};
  int produced_ = 0;
  int consumed_ = 0;
};

TEST_P(AccidentTest, LeavesNoThreadAndNoSlotBehind) {
  {
    WorkerPool producers(
        {.name = "fill", .workers = 1, .when_done = [&](const auto&) { rig_.ring.close(); }},
        rig_.clock, [this](Worker& worker) { return produce(worker); });
    WorkerPool consumers({.name = "use", .workers = 1, .when_done = {}}, rig_.clock,
                         [this](Worker& worker) { return consume(worker); });
    EXPECT_TRUE(testing_support::eventually([&] {
      return stop_requested_ || producers.stop_token().stop_requested() ||
             consumers.stop_token().stop_requested();
    }));
    producers.stop();
    consumers.stop();
    const std::string expected = accident_.trouble == Trouble::throws
                                     ? (accident_.at_producer ? "fill: accident" : "use: accident")
                                     : "nothing was thrown";
    WorkerPool& unlucky = accident_.at_producer ? producers : consumers;
    EXPECT_EQ(error_message([&] { unlucky.join(); }), expected);
  }
  EXPECT_TRUE(census_.all_gone());
  while (rig_.ring.next(rig_.consumer)) {
  }
  EXPECT_THAT(rig_.ring.statistics().slots, ElementsAre(3, 0, 0, 0));
  EXPECT_THAT(rig_.fake.backend->violations(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Everywhere, AccidentTest,
                         testing::Combine(testing::Bool(),
                                          testing::Values(Point::before, Point::with_slot,
                                                          Point::with_work, Point::after),
                                          testing::Values(Trouble::throws, Trouble::stops,
                                                          Trouble::stalls)));

TEST(SlotRing, AllocatesNothingOnceMade) {
  if (!testing_support::allocations_are_counted()) GTEST_SKIP() << "allocations are not counted";
  const device::Platform platform(device::make_cpu_backend(), device::make_cpu_backend());
  const StreamView stream = platform.default_stream(device::kCpu);
  const SteadyClock clock;
  SlotRing<int> ring({1, 2, 3}, stream, stream, clock);
  const size_t before = testing_support::allocations().count;
  for (int i = 0; i < 100; ++i) {
    ring.acquire(stream)->publish();
    ring.next(stream)->release();
    ring.acquire(stream).reset();
  }
  EXPECT_EQ(testing_support::allocations().count, before);
}

}  // namespace
}  // namespace seda::pipeline
