// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/device/plain_resource.h"
#include "seda/device/platform.h"
#include "seda/feed/featurize_cuda.h"
#include "tests/support/error_message.h"

namespace seda::feed {
namespace {

TEST(FeaturizeCuda, SaysThatThisBuildHasNoCuda) {
  const device::Platform platform;
  device::PlainResource memory(platform, device::kCpu);
  const auto stream = platform.default_stream(device::kCpu);
  EXPECT_THAT(seda::testing_support::error_message(
                  [&] { FeaturizeCuda(audio::MelOptions{}, AudioKind::pcm16, memory, stream); }),
              testing::HasSubstr("this build has no CUDA"));
}

}  // namespace
}  // namespace seda::feed
