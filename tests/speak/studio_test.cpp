// SPDX-License-Identifier: Apache-2.0
#include "seda/speak/studio.h"

#include <gtest/gtest.h>

#include "seda/base/cpu.h"

namespace seda::speak {
namespace {

TEST(Studio, SpeaksInBf16OnGpusAndOnCpusThatMultiplyIt) {
  EXPECT_TRUE(bf16_is_faster(device::cuda(0)));
  EXPECT_EQ(bf16_is_faster(device::kCpu), cpu_info().bf16);
}

}  // namespace
}  // namespace seda::speak
