// SPDX-License-Identifier: Apache-2.0
#include "seda/device/occupy.h"

#include <gtest/gtest.h>

#include "tests/device/world.h"
#include "tests/support/asked_to_stop.h"

namespace seda::device {
namespace {

class OccupyOnRealDevices : public testing::TestWithParam<WorldKind> {
 protected:
  void SetUp() override { SEDA_SKIP_UNLESS_PRESENT(world_); }

  /// Between marks before and after it on its stream.
  double occupied_ms(double seconds) const {
    const Stream stream(world_.platform(), world_.device());
    Event begin(stream, EventTiming::on);
    Event end(stream, EventTiming::on);
    begin.record(stream);
    occupy(stream, seconds);
    end.record(stream);
    end.synchronize();
    return elapsed_ms(begin, end);
  }

  World world_{GetParam()};
};

TEST_P(OccupyOnRealDevices, KeepsTheStreamBusyForAtLeastThatLong) {
  // A device's timer moves in steps of up to a few microseconds.
  EXPECT_GE(occupied_ms(0.02), 19.9);
}

TEST_P(OccupyOnRealDevices, NoTimeIsNoWork) {
  const Stream stream(world_.platform(), world_.device());
  occupy(stream, 0);
  occupy(stream, -1);
  EXPECT_TRUE(stream.done());
}

INSTANTIATE_TEST_SUITE_P(Occupy, OccupyOnRealDevices,
                         testing::Values(WorldKind::cpu, WorldKind::cuda),
                         testing::PrintToStringParamName());

TEST(Occupy, OnTheCpuEndsWithCtrlC) {
  const World world(WorldKind::cpu);
  const Stream stream(world.platform(), world.device());
  const testing_support::AskedToStop asked;
  occupy(stream, 1e6);
  EXPECT_TRUE(stream.done());
}

TEST(Occupy, OnAGpuReturnsBeforeTheTimeHasPassed) {
  const World world(WorldKind::cuda);
  SEDA_SKIP_UNLESS_PRESENT(world);
  const Stream stream(world.platform(), world.device());
  occupy(stream, 1e-6);  // loads the kernel
  stream.synchronize();
  occupy(stream, 0.5);
  EXPECT_FALSE(stream.done());
}

}  // namespace
}  // namespace seda::device
