// SPDX-License-Identifier: Apache-2.0
#include "seda/train/busy_time.h"

#include <gtest/gtest.h>

namespace seda::train {
namespace {

TEST(BusyTime, OfNoKernelsIsNone) {
  const BusyTime none = busy_time({});
  EXPECT_EQ(none.kernels, 0u);
  EXPECT_EQ(none.share(), 0);
}

TEST(BusyTime, GapsBetweenKernelsAreIdle) {
  const BusyTime time = busy_time({{3'000, 4'000}, {1'000, 2'000}});
  EXPECT_EQ(time.kernels, 2u);
  EXPECT_DOUBLE_EQ(time.busy_s, 2e-6);
  EXPECT_DOUBLE_EQ(time.seconds, 3e-6);
  EXPECT_DOUBLE_EQ(time.share(), 2.0 / 3);
}

TEST(BusyTime, KernelsThatOverlapCountOnce) {
  const BusyTime time = busy_time({{0, 1'000}, {500, 1'500}, {600, 700}, {1'500, 2'000}});
  EXPECT_DOUBLE_EQ(time.busy_s, 2e-6);
  EXPECT_DOUBLE_EQ(time.share(), 1);
}

}  // namespace
}  // namespace seda::train
