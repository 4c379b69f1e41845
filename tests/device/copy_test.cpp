// SPDX-License-Identifier: Apache-2.0
#include "seda/device/copy.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/device/buffer.h"
#include "seda/device/pinned_resource.h"
#include "seda/device/plain_resource.h"
#include "seda/device/upload.h"
#include "tests/device/world.h"

namespace seda::device {
namespace {

using testing::Each;
using testing_support::FakeOperation;
using testing_support::FakePlatform;

class CopyOnEachDevice : public testing::TestWithParam<WorldKind> {
 protected:
  void SetUp() override { SEDA_SKIP_UNLESS_PRESENT(world_); }

  World world_{GetParam()};
};

TEST_P(CopyOnEachDevice, EveryByteComesBack) {
  const Stream stream(world_.platform(), world_.device());
  PlainResource memory(world_.platform(), world_.device());
  for (const size_t bytes : {1, 255, 256, 4097, 1 << 20, (3 << 20) + 7}) {
    const Buffer first(bytes, memory, stream);
    const Buffer second(bytes, memory, stream);
    const auto written = pattern(bytes, static_cast<uint32_t>(bytes));
    write_bytes(written, first.location(), stream);
    copy(second.location(), first.location(), bytes, stream);
    EXPECT_EQ(read_bytes(second.location(), bytes, stream), written) << bytes;
  }
}

TEST_P(CopyOnEachDevice, UploadedValuesNeedNotOutliveTheCall) {
  const Stream stream(world_.platform(), world_.device());
  PlainResource memory(world_.platform(), world_.device());
  for (const size_t bytes : {1, 4096, 1 << 20}) {
    auto values = pattern(bytes, 5);
    const auto written = values;
    const Buffer there = upload<uint8_t>(values, memory, stream);
    std::ranges::fill(values, uint8_t{0});
    EXPECT_EQ(read_bytes(there.location(), bytes, stream), written) << bytes;
  }
  EXPECT_EQ(upload<uint8_t>({}, memory, stream).bytes(), 1U);
}

TEST_P(CopyOnEachDevice, PinnedBytesComeBack) {
  constexpr size_t kBytes = (1 << 20) + 3;
  const Stream stream(world_.platform(), world_.device());
  PlainResource memory(world_.platform(), world_.device());
  PinnedResource pinned(world_.platform(), world_.device());
  const Buffer on_device(kBytes, memory, stream);
  const Buffer from(kBytes, pinned, stream);
  const Buffer back(kBytes, pinned, stream);
  std::ranges::copy(pattern(kBytes, 5), from.as<uint8_t>().begin());
  std::ranges::fill(back.as<uint8_t>(), 0);
  copy(on_device.location(), from.location(), kBytes, stream);
  copy(back.location(), on_device.location(), kBytes, stream);
  stream.synchronize();
  EXPECT_TRUE(std::ranges::equal(back.as<uint8_t>(), from.as<uint8_t>()));
}

TEST_P(CopyOnEachDevice, PartsAreCopiedWhereTheyBelong) {
  const Stream stream(world_.platform(), world_.device());
  PlainResource memory(world_.platform(), world_.device());
  const Buffer buffer(1024, memory, stream);
  fill(buffer.location(), std::byte{9}, 1024, stream);
  const auto part = pattern(100, 6);
  write_bytes(part, buffer.location(300), stream);
  auto expected = std::vector<uint8_t>(1024, 9);
  std::ranges::copy(part, expected.begin() + 300);
  EXPECT_EQ(read_bytes(buffer.location(), 1024, stream), expected);
}

TEST_P(CopyOnEachDevice, FillSetsEveryByteAndNoMore) {
  const Stream stream(world_.platform(), world_.device());
  PlainResource memory(world_.platform(), world_.device());
  const Buffer buffer(1000, memory, stream);
  fill(buffer.location(), std::byte{0xff}, 1000, stream);
  fill(buffer.location(10), std::byte{0x11}, 980, stream);
  const auto bytes = read_bytes(buffer.location(), 1000, stream);
  EXPECT_THAT(std::vector(bytes.begin() + 10, bytes.end() - 10), Each(0x11));
  EXPECT_THAT(std::vector(bytes.begin(), bytes.begin() + 10), Each(0xff));
  EXPECT_THAT(std::vector(bytes.end() - 10, bytes.end()), Each(0xff));
}

TEST_P(CopyOnEachDevice, NothingIsCopiedForZeroBytes) {
  const Stream stream(world_.platform(), world_.device());
  EXPECT_NO_THROW(copy({nullptr, world_.device()}, ConstLocation(), 0, stream));
  EXPECT_NO_THROW(fill({nullptr, world_.device()}, std::byte{1}, 0, stream));
}

INSTANTIATE_TEST_SUITE_P(Devices, CopyOnEachDevice, testing::ValuesIn(kWorldKinds),
                         [](const auto& tested) { return to_string(tested.param); });

/// Bytes through cuda:0 and cuda:1 and back.
void expect_peer_round_trip(const Platform& platform) {
  constexpr size_t kBytes = (1 << 20) + 1;
  const Stream stream(platform, cuda(0));
  const Stream far_stream(platform, cuda(1));
  PlainResource memory(platform, cuda(0));
  PlainResource far_memory(platform, cuda(1));
  const Buffer near(kBytes, memory, stream);
  const Buffer far(kBytes, far_memory, far_stream);
  const auto bytes = pattern(kBytes, 8);
  write_bytes(bytes, near.location(), stream);
  copy(far.location(), near.location(), kBytes, stream);
  stream.synchronize();
  EXPECT_EQ(read_bytes(far.location(), kBytes, far_stream), bytes);
  fill(near.location(), std::byte{0}, kBytes, stream);
  stream.synchronize();
  copy(near.location(), far.location(), kBytes, far_stream);
  far_stream.synchronize();
  EXPECT_EQ(read_bytes(near.location(), kBytes, stream), bytes);
}

TEST(PeerCopy, FakeDevicesExchangeBytes) {
  for (const bool peers : {true, false}) {
    const FakePlatform fake(testing_support::FakeOptions{.peers = peers});
    expect_peer_round_trip(fake.platform);
    EXPECT_TRUE(fake.backend->violations().empty());
  }
}

TEST(PeerCopy, IsOneOperationBetweenTheDevices) {
  const FakePlatform fake;
  const Stream stream(fake.platform, cuda(0));
  PlainResource memory(fake.platform, cuda(0));
  PlainResource far_memory(fake.platform, cuda(1));
  const Buffer near(512, memory, stream);
  const Buffer far(512, far_memory, fake.platform.default_stream(cuda(1)));
  copy(far.location(), near.location(), 512, stream);
  const FakeOperation expected{FakeOperation::Kind::copy, 0, 1, cuda(0), cuda(1), 512};
  EXPECT_EQ(fake.backend->operations().back(), expected);
}

TEST(PeerCopy, RealDevicesExchangeBytes) {
  const Platform platform;
  if (!platform.has(cuda(1))) GTEST_SKIP() << "needs cuda:1: " << platform.cuda_absence();
  expect_peer_round_trip(platform);
  if (!platform.can_reach(cuda(0), cuda(1))) return;
  platform.enable_peer(cuda(0), cuda(1));
  platform.enable_peer(cuda(0), cuda(1));
  expect_peer_round_trip(platform);
}

TEST(Copy, StreamOfNeitherEndIsRefused) {
  const FakePlatform fake;
  const Stream first(fake.platform, cuda(0));
  const Stream second(fake.platform, cuda(1));
  PlainResource memory(fake.platform, cuda(0));
  const Buffer buffer(256, memory, first);
  std::vector<uint8_t> host(256);
  EXPECT_THROW(copy(buffer.location(), on_host(host.data()), 256, second), Error);
  EXPECT_THROW(fill(buffer.location(), std::byte{0}, 256, second), Error);
}

TEST(Copy, CpuStreamDoesNotReachAGpu) {
  const FakePlatform fake;
  PlainResource memory(fake.platform, cuda(0));
  const Buffer buffer(256, memory, fake.platform.default_stream(cuda(0)));
  const std::vector<uint8_t> host(256);
  const StreamView on_cpu = fake.platform.default_stream(kCpu);
  EXPECT_THROW(copy(buffer.location(), on_host(host.data()), 256, on_cpu), Error);
}

TEST(Copy, OverlappingHostBytesAreMoved) {
  const Platform platform;
  auto bytes = pattern(100, 9);
  const auto before = bytes;
  copy(on_host(bytes.data() + 10), on_host(bytes.data()), 90, platform.default_stream(kCpu));
  EXPECT_TRUE(std::equal(bytes.begin() + 10, bytes.end(), before.begin()));
}

}  // namespace
}  // namespace seda::device
