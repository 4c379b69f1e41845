// SPDX-License-Identifier: Apache-2.0
#include "seda/device/peak_flops.h"

#include <gtest/gtest.h>

namespace seda::device {
namespace {

TEST(PeakFlops, AreThoseOfTheFirstNameThatFits) {
  EXPECT_EQ(peak_flops("NVIDIA H200"), 989.4e12);
  EXPECT_EQ(peak_flops("NVIDIA H100 PCIe"), 756e12);
  EXPECT_EQ(peak_flops("NVIDIA H100 80GB HBM3"), 989.4e12);
  EXPECT_EQ(peak_flops("NVIDIA A100-SXM4-40GB"), 312e12);
}

TEST(PeakFlops, OfAnUnknownGpuAreNotGuessed) {
  EXPECT_EQ(peak_flops("NVIDIA GeForce GT 710"), std::nullopt);
  EXPECT_EQ(peak_flops(""), std::nullopt);
}

}  // namespace
}  // namespace seda::device
