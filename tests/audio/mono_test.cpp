// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/mono.h"

#include <vector>

#include <gtest/gtest.h>

#include "seda/base/random.h"

namespace seda::audio {
namespace {

TEST(Mono, IsTheMeanOfTheChannels) {
  Random random(3);
  for (int channels = 1; channels <= 64; channels += channels < 8 ? 1 : 7) {
    const auto width = static_cast<size_t>(channels);
    std::vector<float> frames(100 * width);
    for (auto& sample : frames)
      sample = static_cast<float>(random.below(2'000'001)) * 1e-6F - 1;
    std::vector<float> out(100);
    mix_to_mono(frames, channels, out);
    for (size_t t = 0; t < out.size(); ++t) {
      double sum = 0;
      for (size_t c = 0; c < width; ++c)
        sum += double{frames[t * width + c]};
      EXPECT_NEAR(out[t], sum / channels, 1e-6) << channels;
    }
  }
}

TEST(Mono, OfOneChannelIsThatChannel) {
  const std::vector<float> frames = {0.1F, -0.7F, 1.5F};
  std::vector<float> out(3);
  mix_to_mono(frames, 1, out);
  EXPECT_EQ(out, frames);
}

TEST(Mono, OfNothingIsNothing) {
  mix_to_mono({}, 2, {});
}

}  // namespace
}  // namespace seda::audio
