// SPDX-License-Identifier: Apache-2.0
#include "seda/device/stream.h"

#include <utility>

#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/device/buffer.h"
#include "seda/device/copy.h"
#include "seda/device/pinned_resource.h"
#include "seda/device/plain_resource.h"
#include "tests/device/world.h"

namespace seda::device {
namespace {

constexpr size_t kBytes = 1 << 20;

class StreamOnEachDevice : public testing::TestWithParam<WorldKind> {
 protected:
  void SetUp() override { SEDA_SKIP_UNLESS_PRESENT(world_); }

  Stream make_stream(StreamPriority priority = StreamPriority::normal) const {
    return {world_.platform(), world_.device(), priority};
  }

  World world_{GetParam()};
};

TEST_P(StreamOnEachDevice, IsDoneWhenNothingWasEnqueued) {
  const Stream stream = make_stream(StreamPriority::high);
  EXPECT_EQ(stream.device(), world_.device());
  stream.synchronize();
  EXPECT_TRUE(stream.done());
}

TEST_P(StreamOnEachDevice, IsDoneAfterSynchronize) {
  const Stream stream = make_stream();
  PlainResource memory(world_.platform(), world_.device());
  const Buffer buffer(kBytes, memory, stream);
  fill(buffer.location(), std::byte{1}, kBytes, stream);
  stream.synchronize();
  EXPECT_TRUE(stream.done());
}

TEST_P(StreamOnEachDevice, MovesKeepTheStream) {
  Stream first = make_stream();
  const StreamView view = first;
  Stream second = std::move(first);
  EXPECT_EQ(second.view(), view);
  first = make_stream();
  second = std::move(first);
  second.synchronize();
  EXPECT_TRUE(second.done());
}

TEST_P(StreamOnEachDevice, DefaultStreamNeedsNoOwner) {
  const StreamView stream = world_.platform().default_stream(world_.device());
  stream.synchronize();
  EXPECT_TRUE(stream.done());
}

TEST_P(StreamOnEachDevice, EventNeverRecordedIsDone) {
  const Stream stream = make_stream();
  const Event event(stream);
  EXPECT_TRUE(event.done());
  event.synchronize();
  stream.wait(event);
  stream.synchronize();
}

TEST_P(StreamOnEachDevice, EventIsDoneAfterSynchronize) {
  const Stream stream = make_stream();
  Event event(stream);
  event.record(stream);
  event.synchronize();
  EXPECT_TRUE(event.done());
}

TEST_P(StreamOnEachDevice, ElapsedTimeIsNotNegative) {
  const Stream stream = make_stream();
  Event begin(stream, EventTiming::on);
  Event end(stream, EventTiming::on);
  begin.record(stream);
  end.record(stream);
  end.synchronize();
  EXPECT_GE(elapsed_ms(begin, end), 0.0);
}

TEST_P(StreamOnEachDevice, ElapsedTimeOfAnEventNeverRecordedIsAnError) {
  const Stream stream = make_stream();
  Event begin(stream, EventTiming::on);
  const Event end(stream, EventTiming::on);
  begin.record(stream);
  begin.synchronize();
  EXPECT_THROW(elapsed_ms(begin, end), Error);
}

TEST_P(StreamOnEachDevice, WorkBehindAClosedGateIsNotDone) {
  const Stream stream = make_stream();
  PlainResource memory(world_.platform(), world_.device());
  const Buffer buffer(kBytes, memory, stream);
  fill(buffer.location(), std::byte{1}, kBytes, stream);
  stream.synchronize();
  const auto gate = world_.close_gate(stream);
  if (!gate) GTEST_SKIP() << "streams of the CPU cannot be stopped";

  fill(buffer.location(), std::byte{2}, kBytes, stream);
  Event event(stream);
  event.record(stream);
  EXPECT_FALSE(stream.done());
  EXPECT_FALSE(event.done());
  gate->open();
  event.synchronize();
  EXPECT_TRUE(stream.done());
  EXPECT_FALSE(gate->gave_up());
}

TEST_P(StreamOnEachDevice, PinnedUploadBehindAClosedGateReturnsAtOnce) {
  const Stream stream = make_stream();
  PlainResource memory(world_.platform(), world_.device());
  PinnedResource pinned(world_.platform(), world_.device());
  const Buffer on_device(kBytes, memory, stream);
  const Buffer staging(kBytes, pinned, stream);
  const auto bytes = pattern(kBytes, 1);
  std::ranges::copy(bytes, staging.as<uint8_t>().begin());
  copy(on_device.location(), staging.location(), kBytes, stream);
  fill(on_device.location(), std::byte{0}, kBytes, stream);
  stream.synchronize();

  const auto gate = world_.close_gate(stream);
  copy(on_device.location(), staging.location(), kBytes, stream);
  // Had the copy waited for the gate, only the gate's patience would have brought us here.
  if (gate) {
    EXPECT_FALSE(stream.done());
    gate->open();
    EXPECT_FALSE(gate->gave_up());
  }
  EXPECT_EQ(read_bytes(on_device.location(), kBytes, stream), bytes);
}

TEST_P(StreamOnEachDevice, WaitingForAnEventOrdersTwoStreams) {
  const Stream writer = make_stream();
  const Stream reader = make_stream();
  PlainResource memory(world_.platform(), world_.device());
  PinnedResource pinned(world_.platform(), world_.device());
  const Buffer shared(kBytes, memory, writer);
  const Buffer result(kBytes, memory, reader);
  const Buffer staging(kBytes, pinned, writer);
  const auto bytes = pattern(kBytes, 2);
  std::ranges::copy(bytes, staging.as<uint8_t>().begin());
  fill(shared.location(), std::byte{0}, kBytes, writer);
  copy(result.location(), shared.location(), kBytes, writer);
  writer.synchronize();
  Event written(writer);

  const auto gate = world_.close_gate(writer);
  copy(shared.location(), staging.location(), kBytes, writer);
  written.record(writer);
  reader.wait(written);
  copy(result.location(), shared.location(), kBytes, reader);
  if (gate) {
    EXPECT_FALSE(reader.done()) << "the reader overtook the event";
    gate->open();
    EXPECT_FALSE(gate->gave_up());
  }
  EXPECT_EQ(read_bytes(result.location(), kBytes, reader), bytes);
}

TEST_P(StreamOnEachDevice, StreamsWithoutAnEventDoNotWaitForEachOther) {
  const Stream stopped = make_stream();
  const Stream free_running = make_stream();
  PlainResource memory(world_.platform(), world_.device());
  PinnedResource pinned(world_.platform(), world_.device());
  const Buffer buffer(kBytes, memory, free_running);
  const Buffer staging(kBytes, pinned, free_running);
  copy(staging.location(), buffer.location(), kBytes, free_running);
  free_running.synchronize();

  Event behind_gate(stopped);
  const auto gate = world_.close_gate(stopped);
  behind_gate.record(stopped);
  copy(staging.location(), buffer.location(), kBytes, free_running);
  free_running.synchronize();
  if (gate) {
    EXPECT_FALSE(behind_gate.done());
    gate->open();
    EXPECT_FALSE(gate->gave_up());
  }
}

TEST_P(StreamOnEachDevice, CpuStreamAndDeviceStreamWaitForEachOthersEvents) {
  const Stream stream = make_stream();
  const StreamView host = world_.platform().default_stream(kCpu);
  Event on_device(stream);
  Event on_host(host);
  on_device.record(stream);
  on_host.record(host);
  host.wait(on_device);
  EXPECT_TRUE(on_device.done()) << "a CPU stream waits in the calling thread";
  stream.wait(on_host);
  stream.synchronize();
}

INSTANTIATE_TEST_SUITE_P(Devices, StreamOnEachDevice, testing::ValuesIn(kWorldKinds),
                         [](const auto& tested) { return to_string(tested.param); });

TEST(Stream, EndWaitsForWhatWasEnqueued) {
  testing_support::FakePlatform fake;
  PlainResource memory(fake.platform, cuda(0));
  const StreamView standing = fake.platform.default_stream(cuda(0));
  const Buffer buffer(kBytes, memory, standing);
  {
    const Stream stream(fake.platform, cuda(0));
    fake.backend->hold(stream);
    fake.backend->when_host_waits([&] { fake.backend->release(stream); });
    fill(buffer.location(), std::byte{7}, kBytes, stream);
  }
  EXPECT_EQ(read_bytes(buffer.location(), 1, standing)[0], 7);
  EXPECT_TRUE(fake.backend->violations().empty());
}

TEST(Stream, WaitKeepsTheMarkItSaw) {
  testing_support::FakePlatform fake;
  const Stream first(fake.platform, cuda(0));
  const Stream second(fake.platform, cuda(0));
  Event event(first);
  event.record(first);
  second.wait(event);
  fake.backend->hold(first);
  event.record(first);
  EXPECT_TRUE(second.done()) << "a later record must not move an earlier wait";
  EXPECT_FALSE(event.done());
  fake.backend->release(first);
}

TEST(Stream, EventsOfAnotherDeviceAreRefused) {
  testing_support::FakePlatform fake;
  const Stream first(fake.platform, cuda(0));
  const Stream second(fake.platform, cuda(1));
  Event event(first, EventTiming::on);
  const Event other(second, EventTiming::on);
  EXPECT_THROW(event.record(second), Error);
  EXPECT_THROW(elapsed_ms(event, other), Error);
}

TEST(Stream, EventOrdersStreamsOfTwoDevices) {
  testing_support::FakePlatform fake;
  const Stream first(fake.platform, cuda(0));
  const Stream second(fake.platform, cuda(1));
  Event event(first);
  fake.backend->hold(first);
  event.record(first);
  second.wait(event);
  EXPECT_FALSE(second.done());
  fake.backend->release(first);
  EXPECT_TRUE(second.done());
}

}  // namespace
}  // namespace seda::device
