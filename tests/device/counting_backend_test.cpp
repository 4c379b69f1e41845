// SPDX-License-Identifier: Apache-2.0
#include "tests/support/counting_backend.h"

#include <gtest/gtest.h>

#include "seda/device/buffer.h"
#include "seda/device/copy.h"
#include "seda/device/pinned_resource.h"
#include "seda/device/plain_resource.h"
#include "tests/support/fake_backend.h"

namespace seda::testing_support {
namespace {

using device::cuda;

class CountingBackendTest : public testing::Test {
 protected:
  static std::unique_ptr<CountingBackend> counting(CountingBackend*& seen) {
    auto backend = std::make_unique<CountingBackend>(std::make_unique<FakeBackend>());
    seen = backend.get();
    return backend;
  }

  CountingBackend* backend_ = nullptr;
  device::Platform platform_{device::make_cpu_backend(), counting(backend_)};
};

TEST_F(CountingBackendTest, CountsMemoryStreamsAndWaits) {
  {
    const device::Stream stream(platform_, cuda(0));
    device::PlainResource plain(platform_, cuda(0));
    device::PinnedResource pinned(platform_, cuda(0));
    const device::Buffer on_device(100, plain, stream);
    const device::Buffer on_host(100, pinned, stream);
    const BackendCalls before = backend_->calls();
    EXPECT_EQ(before,
              (BackendCalls{.allocations = 1, .pinned_allocations = 1, .streams_created = 1}));
    device::fill(on_device.location(), std::byte{1}, 100, stream);
    device::copy(on_host.location(), on_device.location(), 100, stream);
    device::Event event(stream);
    event.record(stream);
    event.synchronize();
    EXPECT_TRUE(event.done());
    const BackendCalls between = backend_->calls().since(before);
    EXPECT_EQ(between, (BackendCalls{.events_created = 1,
                                     .event_waits = 1,
                                     .event_looks = 1,
                                     .copies = 1,
                                     .copied_bytes = 100,
                                     .fills = 1}));
    EXPECT_EQ(between.unsteady(), 1U) << "an event was made";
    stream.synchronize();
    EXPECT_EQ(backend_->calls().stream_waits, 1U);
  }
  EXPECT_EQ(backend_->calls().deallocations, 1U);
  EXPECT_EQ(backend_->calls().pinned_deallocations, 1U);
}

}  // namespace
}  // namespace seda::testing_support
