// SPDX-License-Identifier: Apache-2.0
#include "seda/device/platform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "tests/device/world.h"
#include "tests/support/fake_backend.h"

namespace seda::device {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::FakeOptions;
using testing_support::FakePlatform;

std::string failure(const Platform& platform, Device device) {
  try {
    platform.backend(device);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unavailable);
    return error.what();
  }
  return "";
}

TEST(Platform, ListsTheCpuFirst) {
  const FakePlatform fake;
  EXPECT_THAT(fake.platform.devices(), ElementsAre(kCpu, cuda(0), cuda(1)));
}

TEST(Platform, MissingDeviceIsNamedWithWhatIsThere) {
  const FakePlatform fake;
  EXPECT_THAT(failure(fake.platform, cuda(2)), HasSubstr("no device cuda:2"));
  EXPECT_THAT(failure(fake.platform, cuda(2)), HasSubstr("cpu, cuda:0, cuda:1"));
  EXPECT_FALSE(fake.platform.has(cuda(2)));
  EXPECT_FALSE(fake.platform.has(cuda(-1)));
}

TEST(Platform, WithoutAnyGpuTheReasonIsGiven) {
  const FakePlatform fake(FakeOptions{.devices = 0});
  EXPECT_THAT(failure(fake.platform, cuda(0)), HasSubstr("the fake has no devices"));
  EXPECT_THAT(fake.platform.devices(), ElementsAre(kCpu));
}

TEST(Platform, MachineSaysWhyItHasNoGpuOrHasOne) {
  const Platform platform;
  const bool present = platform.has(cuda(0));
  EXPECT_EQ(platform.cuda_absence().empty(), present);
  if (present) return;
  EXPECT_THAT(failure(platform, cuda(0)), HasSubstr(platform.cuda_absence()));
}

TEST(Platform, SameDeviceIsReachableWithoutAsking) {
  const FakePlatform fake(FakeOptions{.peers = false});
  EXPECT_TRUE(fake.platform.can_reach(cuda(1), cuda(1)));
  EXPECT_TRUE(fake.platform.can_reach(kCpu, kCpu));
  EXPECT_NO_THROW(fake.platform.enable_peer(cuda(1), cuda(1)));
  EXPECT_FALSE(fake.backend->peer_enabled(1, 1));
}

TEST(Platform, PeerAccessIsEnabledOnceAndInOneDirection) {
  const FakePlatform fake;
  fake.platform.enable_peer(cuda(0), cuda(1));
  fake.platform.enable_peer(cuda(0), cuda(1));
  EXPECT_TRUE(fake.backend->peer_enabled(0, 1));
  EXPECT_FALSE(fake.backend->peer_enabled(1, 0));
}

TEST(Platform, UnreachablePeerIsAnError) {
  const FakePlatform fake(FakeOptions{.peers = false});
  EXPECT_FALSE(fake.platform.can_reach(cuda(0), cuda(1)));
  EXPECT_THROW(fake.platform.enable_peer(cuda(0), cuda(1)), Error);
}

TEST(Platform, CpuAndGpuDoNotReachEachOther) {
  const FakePlatform fake;
  EXPECT_FALSE(fake.platform.can_reach(kCpu, cuda(0)));
  EXPECT_FALSE(fake.platform.can_reach(cuda(0), kCpu));
}

class PlatformOnEachDevice : public testing::TestWithParam<WorldKind> {};

TEST_P(PlatformOnEachDevice, PropertiesAreFilled) {
  const World world(GetParam());
  SEDA_SKIP_UNLESS_PRESENT(world);
  const auto properties = world.platform().properties(world.device());
  EXPECT_FALSE(properties.name.empty());
  EXPECT_GT(properties.total_bytes, 0u);
  EXPECT_GT(properties.multiprocessors, 0);
  EXPECT_EQ(properties.pci_bus_id.empty(), world.device().is_cpu());
  EXPECT_EQ(properties.compute_major == 0, world.device().is_cpu());
}

TEST_P(PlatformOnEachDevice, FreeMemoryIsAtMostAll) {
  const World world(GetParam());
  SEDA_SKIP_UNLESS_PRESENT(world);
  const auto memory = world.platform().memory(world.device());
  EXPECT_GT(memory.free_bytes, 0u);
  EXPECT_LE(memory.free_bytes, memory.total_bytes);
}

INSTANTIATE_TEST_SUITE_P(Devices, PlatformOnEachDevice, testing::ValuesIn(kWorldKinds),
                         [](const auto& tested) { return to_string(tested.param); });

TEST(CudaPlatform, CurrentDeviceOfTheThreadIsLeftAlone) {
  const Platform platform;
  if (!platform.has(cuda(1))) GTEST_SKIP() << "needs cuda:1: " << platform.cuda_absence();
  const Stream on_first(platform, cuda(0));  // so that cuda:0 has a context to go back to
  set_current_cuda_device(0);
  const Stream stream(platform, cuda(1));
  void* data = platform.backend(cuda(1)).allocate(1, 256);
  platform.backend(cuda(1)).deallocate(1, data);
  stream.synchronize();
  EXPECT_EQ(current_cuda_device(), 0);
}

}  // namespace
}  // namespace seda::device
