// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

#include "seda/base/clock.h"
#include "seda/device/buffer.h"
#include "seda/device/copy.h"
#include "seda/device/pinned_resource.h"
#include "seda/device/plain_resource.h"
#include "seda/device/stream.h"
#include "seda/pipeline/slot_ring.h"
#include "tests/support/fake_backend.h"

namespace seda::testing_support {

inline constexpr size_t kSlotBytes = 64;

/// A ring of buffers, filled on one GPU and used on the same or another.
struct GpuRing {
  explicit GpuRing(int consumer_index, size_t slots = 2)
      : producer(fake.platform, device::cuda(0)),
        consumer(fake.platform, device::cuda(consumer_index)),
        source_memory(fake.platform, producer.device()),
        slot_memory(fake.platform, consumer.device()),
        pinned(fake.platform, device::cuda(0)),
        ring(buffers(slots), producer, consumer, clock) {
    for (int value = 0; value < 256; ++value) {
      sources.emplace_back(kSlotBytes, source_memory, producer.view());
      fill(sources.back().location(), static_cast<std::byte>(value), kSlotBytes, producer);
    }
    fake.backend->when_host_waits([this] { ++host_waits; });
  }

  std::vector<device::Buffer> buffers(size_t slots) {
    std::vector<device::Buffer> made;
    for (size_t i = 0; i < slots; ++i)
      made.emplace_back(kSlotBytes, slot_memory, consumer.view());
    return made;
  }

  /// Enqueues a copy from the producer's device.
  void fill_slot(const device::Buffer& slot, int value, device::StreamView stream) {
    copy(slot.location(), sources[static_cast<size_t>(value)].location(), kSlotBytes, stream);
  }
  /// Enqueues the filling of the next free slot.
  void produce(int value, device::StreamView stream, const std::stop_token& stop = {}) {
    auto slot = ring.acquire(stream, stop);
    ASSERT_TRUE(slot);
    fill_slot(**slot, value, stream);
    slot->publish();
  }
  /// Enqueues a copy of the next slot to page-locked memory.
  void consume(const device::Buffer& to) {
    auto slot = ring.next(consumer);
    ASSERT_TRUE(slot);
    copy(to.location(), (*slot)->location(), kSlotBytes, consumer);
    slot->release();
  }
  device::Buffer result() { return {kSlotBytes, pinned, consumer}; }
  static int value(const device::Buffer& buffer) {
    return std::to_integer<int>(buffer.as<std::byte>()[0]);
  }

  FakePlatform fake;
  std::atomic<int> host_waits{0};
  SteadyClock clock;
  device::Stream producer;
  device::Stream consumer;
  device::PlainResource source_memory;
  device::PlainResource slot_memory;
  device::PinnedResource pinned;
  std::vector<device::Buffer> sources;  ///< Of each value a byte can have.
  pipeline::SlotRing<device::Buffer> ring;
};

}  // namespace seda::testing_support
