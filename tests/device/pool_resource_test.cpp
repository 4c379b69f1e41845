// SPDX-License-Identifier: Apache-2.0
#include "seda/device/pool_resource.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/device/buffer.h"
#include "seda/device/copy.h"
#include "seda/device/failing_resource.h"
#include "seda/device/limit_resource.h"
#include "seda/device/pinned_resource.h"
#include "seda/device/plain_resource.h"
#include "seda/device/statistics_resource.h"
#include "tests/device/world.h"
#include "tests/support/fake_backend.h"

namespace seda::device {
namespace {

using testing::Each;
using testing_support::FakePlatform;

constexpr size_t kChunk = 1 << 20;

/// A pool of fake memory, and two streams of its device.
class Pool : public testing::Test {
 protected:
  void TearDown() override { EXPECT_THAT(fake_.backend->violations(), testing::IsEmpty()); }

  Buffer make(size_t bytes, StreamView stream) { return {bytes, pool_, stream}; }

  FakePlatform fake_;
  PlainResource plain_{fake_.platform, cuda(0)};
  StatisticsResource upstream_{plain_};
  PoolResource pool_{upstream_, {.chunk_bytes = kChunk}};
  Stream first_{fake_.platform, cuda(0)};
  Stream second_{fake_.platform, cuda(0)};
};

TEST_F(Pool, AsksUpstreamOnceForManyBuffers) {
  for (int i = 0; i < 100; ++i)
    make(1000, first_);
  EXPECT_EQ(upstream_.statistics().allocations, 1u);
}

TEST_F(Pool, SameStreamReusesWithoutWaiting) {
  fake_.backend->hold(first_);
  const void* before = make(kChunk, first_).data();
  const Buffer again = make(kChunk, first_);
  EXPECT_EQ(again.data(), before);
  EXPECT_EQ(pool_.statistics().stream_waits, 0u);
  fake_.backend->release(first_);
}

TEST_F(Pool, AnotherStreamWaitsForTheLastUse) {
  fake_.backend->hold(first_);
  {
    const Buffer buffer = make(kChunk, first_);
    fill(buffer.location(), std::byte{1}, kChunk, first_);
  }
  const Buffer reused = make(kChunk, second_);
  fill(reused.location(), std::byte{2}, kChunk, second_);
  EXPECT_FALSE(second_.done()) << "it would write while the first stream still does";
  EXPECT_EQ(pool_.statistics().stream_waits, 1u);
  EXPECT_EQ(pool_.statistics().chunks, 1u);

  fake_.backend->release(first_);
  EXPECT_THAT(read_bytes(reused.location(), kChunk, second_), Each(2));
}

TEST_F(Pool, EachPartOfASplitPieceWaits) {
  fake_.backend->hold(first_);
  make(kChunk, first_).reset();
  const Stream third(fake_.platform, cuda(0));
  const Buffer one = make(kChunk / 2, second_);
  const Buffer two = make(kChunk / 2, third);
  fill(one.location(), std::byte{1}, kChunk / 2, second_);
  fill(two.location(), std::byte{2}, kChunk / 2, third);
  EXPECT_FALSE(second_.done());
  EXPECT_FALSE(third.done());
  fake_.backend->release(first_);
  EXPECT_TRUE(second_.done());
  EXPECT_TRUE(third.done());
}

TEST_F(Pool, JoinedPiecesWaitForEveryStreamThatFreedAPart) {
  Buffer one = make(kChunk / 2, first_);
  Buffer two = make(kChunk / 2, second_);
  fake_.backend->hold(first_);
  fake_.backend->hold(second_);
  one.reset();
  two.reset();
  const Stream third(fake_.platform, cuda(0));
  const Buffer whole = make(kChunk, third);
  fill(whole.location(), std::byte{3}, kChunk, third);
  fake_.backend->release(first_);
  EXPECT_FALSE(third.done()) << "the second stream's part is still in use";
  fake_.backend->release(second_);
  EXPECT_TRUE(third.done());
}

TEST_F(Pool, LaterFreeOnOneStreamReplacesTheEarlierMark) {
  Buffer one = make(kChunk / 2, first_);
  Buffer two = make(kChunk / 2, first_);
  one.reset();
  fake_.backend->hold(first_);
  fill(two.location(), std::byte{1}, kChunk / 2, first_);
  two.reset();
  const Buffer whole = make(kChunk, second_);
  fill(whole.location(), std::byte{2}, kChunk, second_);
  EXPECT_FALSE(second_.done()) << "the later of the two frees has not been reached";
  EXPECT_EQ(pool_.statistics().stream_waits, 1u);
  fake_.backend->release(first_);
}

TEST_F(Pool, PrefersAPieceNobodyUses) {
  const Stream third(fake_.platform, cuda(0));
  for (const size_t busy : {0, 1}) {  // whichever of the two lies first
    Buffer pieces[] = {make(kChunk, first_), make(kChunk, first_)};
    const void* idle_data = pieces[1 - busy].data();
    pieces[1 - busy].reset();
    fake_.backend->hold(first_);
    pieces[busy].reset();
    EXPECT_EQ(make(kChunk, third).data(), idle_data);
    fake_.backend->release(first_);
  }
  EXPECT_EQ(pool_.statistics().stream_waits, 0u);
}

TEST_F(Pool, BufferFreedOnTheStreamThatUsedItLastFollowsThatStream) {
  Buffer buffer = make(kChunk, first_);
  fake_.backend->hold(second_);
  fill(buffer.location(), std::byte{1}, kChunk, second_);
  buffer.set_stream(second_);
  buffer.reset();
  const Buffer reused = make(kChunk, first_);
  fill(reused.location(), std::byte{2}, kChunk, first_);
  EXPECT_FALSE(first_.done());
  fake_.backend->release(second_);
  EXPECT_THAT(read_bytes(reused.location(), kChunk, first_), Each(2));
}

TEST_F(Pool, NeighboursAreJoinedInAnyOrderOfFreeing) {
  std::vector<size_t> order = {0, 1, 2, 3};
  do {
    std::vector<Buffer> parts;
    for (int i = 0; i < 4; ++i)
      parts.push_back(make(kChunk / 4, first_));
    for (const size_t i : order)
      parts[i].reset();
    const Buffer whole = make(kChunk, first_);
    ASSERT_EQ(pool_.statistics().chunks, 1u);
  } while (std::ranges::next_permutation(order).found);
}

TEST_F(Pool, TakesTheSmallestPieceThatFits) {
  Buffer large = make(4096, first_);
  const Buffer wall = make(256, first_);
  Buffer small = make(1024, first_);
  const Buffer rest = make(kChunk - 4096 - 256 - 1024, first_);
  const void* small_data = small.data();
  large.reset();
  small.reset();
  EXPECT_EQ(make(1000, first_).data(), small_data);
}

TEST_F(Pool, RequestAboveTheChunkGetsAChunkOfItsOwn) {
  const Buffer large = make(3 * kChunk + 1, first_);
  EXPECT_EQ(pool_.statistics().reserved_bytes, 3 * kChunk + kAlignment);
}

TEST_F(Pool, TrimGivesBackOnlyWhatIsWhollyFree) {
  const Buffer kept = make(256, first_);
  make(2 * kChunk, first_).reset();
  EXPECT_EQ(pool_.trim(), 2 * kChunk);
  EXPECT_EQ(pool_.statistics().reserved_bytes, kChunk);
  EXPECT_EQ(pool_.trim(), 0u);
}

TEST_F(Pool, TrimWaitsForTheLastUse) {
  {
    const Buffer buffer = make(kChunk, first_);
    fake_.backend->hold(first_);
    fill(buffer.location(), std::byte{1}, kChunk, first_);
  }
  fake_.backend->when_host_waits([this] { fake_.backend->release(first_); });
  EXPECT_EQ(pool_.trim(), kChunk);  // TearDown finds a fill of freed memory
  EXPECT_TRUE(first_.done());
}

TEST_F(Pool, StatisticsAddUp) {
  const Buffer one = make(1, first_);
  make(1000, first_).reset();
  const auto now = pool_.statistics();
  EXPECT_EQ(now.used_bytes, kAlignment);
  EXPECT_EQ(now.peak_used_bytes, kAlignment + 1024);
  EXPECT_EQ(now.reserved_bytes, kChunk);
  EXPECT_EQ(now.largest_free_bytes, kChunk - kAlignment);
  EXPECT_EQ(now.chunks, 1u);
}

TEST_F(Pool, GrowsByJustTheNeedWhereAChunkIsRefused) {
  LimitResource limit(upstream_, {.limit_bytes = kChunk + 4096, .role = "test", .hint = ""});
  PoolResource pool(limit, {.chunk_bytes = kChunk});
  const Buffer all(kChunk, pool, first_);
  const Buffer little(4096, pool, first_);
  EXPECT_EQ(pool.statistics().reserved_bytes, kChunk + 4096);
  EXPECT_THROW(Buffer(1, pool, first_), Error);
}

TEST_F(Pool, GivesBackFreeChunksBeforeItFails) {
  LimitResource limit(upstream_, {.limit_bytes = 2 * kChunk, .role = "test", .hint = ""});
  PoolResource pool(limit, {.chunk_bytes = kChunk});
  Buffer(kChunk, pool, first_).reset();
  EXPECT_NO_THROW(Buffer(2 * kChunk, pool, first_));
}

TEST_F(Pool, UpstreamFailureLeavesItUsable) {
  FailingResource failing(upstream_, {.fail_at = 1});
  PoolResource pool(failing, {.chunk_bytes = kAlignment});
  EXPECT_THROW(Buffer(kAlignment, pool, first_), Error);
  EXPECT_EQ(pool.statistics().reserved_bytes, 0u);
  EXPECT_NO_THROW(Buffer(kAlignment, pool, first_));
}

TEST_F(Pool, HostMemoryIsGivenOnlyOnceTheCopyHasLeftIt) {
  PinnedResource pinned(fake_.platform, cuda(0));
  PoolResource pool(pinned, {.chunk_bytes = kChunk});
  const Buffer on_device = make(kChunk, first_);
  const auto bytes = pattern(kChunk, 1);
  fake_.backend->hold(first_);
  {
    const Buffer staging(kChunk, pool, first_);
    std::ranges::copy(bytes, staging.as<uint8_t>().begin());
    copy(on_device.location(), staging.location(), kChunk, first_);
  }
  fake_.backend->when_host_waits([this] { fake_.backend->release(first_); });
  const Buffer reused(kChunk, pool, first_);  // the same stream: the host writes, not the stream
  EXPECT_TRUE(first_.done());
  std::ranges::fill(reused.as<uint8_t>(), 0);
  EXPECT_EQ(pool.statistics().host_waits, 1u);
  EXPECT_EQ(read_bytes(on_device.location(), kChunk, first_), bytes);
}

TEST_F(Pool, HostMemoryDoesNotWaitForABusyPieceBesideAnIdleOne) {
  PinnedResource pinned(fake_.platform, cuda(0));
  PoolResource pool(pinned, {.chunk_bytes = kChunk});
  for (const size_t busy : {0, 1}) {  // whichever of the two lies first
    Buffer pieces[] = {Buffer(kChunk, pool, first_), Buffer(kChunk, pool, first_)};
    pieces[1 - busy].reset();
    fake_.backend->hold(first_);
    pieces[busy].reset();
    fake_.backend->when_host_waits([this] { fake_.backend->release(first_); });
    const Buffer reused(kChunk, pool, first_);
    fake_.backend->when_host_waits(nullptr);
    fake_.backend->release(first_);
  }
  EXPECT_EQ(pool.statistics().host_waits, 0u);
}

}  // namespace
}  // namespace seda::device
