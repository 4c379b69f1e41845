// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/device/plain_resource.h"
#include "seda/device/platform.h"
#include "seda/model/align_cuda.h"
#include "tests/support/error_message.h"

namespace seda::model {
namespace {

TEST(AlignCuda, SaysThatThisBuildHasNoCuda) {
  const device::Platform platform;
  device::PlainResource memory(platform, device::kCpu);
  const auto stream = platform.default_stream(device::kCpu);
  EXPECT_THAT(seda::testing_support::error_message([&] { AlignCuda({1, 1, 1}, memory, stream); }),
              testing::HasSubstr("this build has no CUDA"));
}

}  // namespace
}  // namespace seda::model
