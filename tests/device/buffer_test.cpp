// SPDX-License-Identifier: Apache-2.0
#include "seda/device/buffer.h"

#include <utility>

#include <gtest/gtest.h>

#include "seda/device/copy.h"
#include "seda/device/pinned_resource.h"
#include "seda/device/plain_resource.h"
#include "seda/device/platform.h"
#include "tests/support/fake_backend.h"
#include "tests/support/statistics_resource.h"

namespace seda::device {
namespace {

class BufferTest : public testing::Test {
 protected:
  Buffer make(size_t bytes) { return {bytes, memory_, stream_}; }

  Platform platform_;
  PlainResource plain_{platform_, kCpu};
  testing_support::StatisticsResource memory_{plain_};
  StreamView stream_ = platform_.default_stream(kCpu);
};

TEST_F(BufferTest, OwnsItsBytesUntilItsEnd) {
  {
    const Buffer buffer = make(100);
    EXPECT_EQ(memory_.statistics().current_bytes, 100u);
  }
  EXPECT_EQ(memory_.statistics().current_bytes, 0u);
}

TEST_F(BufferTest, DefaultIsEmpty) {
  const Buffer buffer;
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(buffer.data(), nullptr);
  EXPECT_EQ(buffer.device(), kCpu);
  EXPECT_TRUE(buffer.as<float>().empty());
}

TEST_F(BufferTest, ZeroBytesAreFine) {
  const Buffer buffer = make(0);
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(memory_.statistics().allocations, 0u);
}

TEST_F(BufferTest, MoveLeavesNothingBehind) {
  Buffer first = make(64);
  const void* data = first.data();
  Buffer second = std::move(first);
  EXPECT_EQ(second.data(), data);
  EXPECT_TRUE(first.empty());  // NOLINT(bugprone-use-after-move): what a move leaves is promised
  Buffer third = make(32);
  third = std::move(second);
  EXPECT_EQ(third.data(), data);
  EXPECT_EQ(memory_.statistics().current_bytes, 64u) << "the old bytes of the target are freed";
}

TEST_F(BufferTest, MoveToItselfChangesNothing) {
  Buffer buffer = make(64);
  Buffer& same = buffer;
  buffer = std::move(same);
  EXPECT_EQ(buffer.bytes(), 64u);
}

TEST_F(BufferTest, ResetGivesBackOnce) {
  Buffer buffer = make(64);
  buffer.reset();
  buffer.reset();
  EXPECT_EQ(memory_.statistics().deallocations, 1u);
  EXPECT_TRUE(buffer.empty());
}

TEST_F(BufferTest, TypedViewHoldsWholeElements) {
  const Buffer buffer = make(10);
  EXPECT_EQ(buffer.as<float>().size(), 2u);
  buffer.as<float>()[1] = 2.5F;
  EXPECT_EQ(buffer.as<float>()[1], 2.5F);
}

TEST_F(BufferTest, LocationCarriesDeviceAndOffset) {
  const testing_support::FakePlatform fake;
  PlainResource memory(fake.platform, cuda(1));
  const Buffer buffer(100, memory, fake.platform.default_stream(cuda(1)));
  EXPECT_EQ(buffer.location(40).device, cuda(1));
  EXPECT_EQ(buffer.location(40).data, static_cast<std::byte*>(buffer.data()) + 40);
}

TEST(BufferEnd, WaitsForTheLastUse) {
  constexpr size_t kBytes = 4096;
  testing_support::FakePlatform fake;
  const Stream stream(fake.platform, cuda(0));
  PlainResource memory(fake.platform, cuda(0));
  PinnedResource pinned(fake.platform, cuda(0));
  fake.backend->when_host_waits([&] { fake.backend->release(stream); });
  const Buffer kept(kBytes, memory, stream);
  for (MemoryResource* resource :
       {static_cast<MemoryResource*>(&memory), static_cast<MemoryResource*>(&pinned)}) {
    const Buffer ended(kBytes, *resource, stream);
    fake.backend->hold(stream);
    copy(kept.location(), ended.location(), kBytes, stream);
  }
  EXPECT_TRUE(stream.done());
  EXPECT_TRUE(fake.backend->violations().empty()) << "memory was freed while a copy used it";
}

}  // namespace
}  // namespace seda::device
