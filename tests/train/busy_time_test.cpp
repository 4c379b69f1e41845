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

TEST(BusyTime, KernelsOfOneNameAreAddedUp) {
  const BusyTime time = busy_time({{0, 1'000, "a"}, {1'000, 3'000, "b"}, {3'000, 3'500, "a"}});
  ASSERT_EQ(time.by_name.size(), 2u);
  EXPECT_EQ(time.by_name[0].name, "b");
  EXPECT_EQ(time.by_name[1].name, "a");
  EXPECT_EQ(time.by_name[1].count, 2u);
  EXPECT_DOUBLE_EQ(time.by_name[1].seconds, 1.5e-6);
}

TEST(ShortKernelName, IsForPeople) {
  EXPECT_EQ(
      short_kernel_name("_ZN4seda5model6detail12_GLOBAL__N_111norm_kernelIfEEvNS1_8NormTaskE"),
      "seda::model::norm_kernel<float>");
  EXPECT_EQ(short_kernel_name("sm90_xmma_gemm_bf16"), "sm90_xmma_gemm_bf16");
  EXPECT_EQ(short_kernel_name("_Z1fIXadL_Z1gvEEEvv"), "f<&(g())>");
  EXPECT_EQ(short_kernel_name(std::string(300, 'x')).size(), 100u);
}

}  // namespace
}  // namespace seda::train
