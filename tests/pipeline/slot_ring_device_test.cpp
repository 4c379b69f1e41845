// SPDX-License-Identifier: Apache-2.0
// The ring between streams of fake GPUs, whose work is held back and let go by hand.

#include <atomic>
#include <exception>
#include <stop_token>
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
#include "seda/pipeline/slot_ring.h"
#include "seda/pipeline/worker_pool.h"
#include "tests/pipeline/eventually.h"
#include "tests/pipeline/gpu_ring.h"
#include "tests/support/allocations.h"
#include "tests/support/error_message.h"
#include "tests/support/fake_backend.h"

namespace seda::pipeline {
namespace {

using device::Buffer;
using device::Stream;
using device::StreamView;
using testing::ElementsAre;
using testing::IsEmpty;
using testing_support::error_message;
using testing_support::FakePlatform;
using testing_support::GpuRing;
using testing_support::kSlotBytes;
using testing_support::ThreadCensus;

class SlotRingOnDevices : public testing::TestWithParam<int> {
 protected:
  ~SlotRingOnDevices() override { EXPECT_THAT(rig_.fake.backend->violations(), IsEmpty()); }

  GpuRing rig_{GetParam()};
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
  EXPECT_EQ(GpuRing::value(result), 7);
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
    EXPECT_EQ(GpuRing::value(results[static_cast<size_t>(i)]), i);
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
  EXPECT_EQ(GpuRing::value(result), 1);
}

TEST_P(SlotRingOnDevices, AUseThatThrowsStillHoldsTheSlotUntilTheDeviceHasPassed) {
  const Buffer result = rig_.result();
  rig_.fake.backend->hold(rig_.consumer);
  rig_.produce(1, rig_.producer);
  try {
    auto slot = rig_.ring.next(rig_.consumer);
    copy(result.location(), (*slot)->location(), kSlotBytes, rig_.consumer);
    throw 1;
  } catch (int) {
  }
  rig_.produce(2, rig_.producer);
  rig_.produce(3, rig_.producer);  // the slot of the first
  EXPECT_FALSE(rig_.producer.done());
  rig_.fake.backend->release(rig_.consumer);
  EXPECT_EQ(GpuRing::value(result), 1);
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
    buffers.emplace_back(kSlotBytes, pinned, gpu.view());
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
  GpuRing rig(1, 3);
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
    ASSERT_EQ(GpuRing::value(results[static_cast<size_t>(i)]), i % 251);
  EXPECT_THAT(rig.fake.backend->violations(), IsEmpty());
  EXPECT_TRUE(census.all_gone());
}

TEST(SlotRingOfAStage, ErrorReachesTheConsumerWithTheStagesName) {
  const ThreadCensus census;
  {
    GpuRing rig(0);
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
