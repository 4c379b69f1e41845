// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/samples_needed.h"

#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/audio/mel_cpu.h"
#include "tests/audio/clip.h"
#include "tests/audio/mel_reference.h"

namespace seda::feed {
namespace {

using audio::MelOptions;
using audio::testing_support::made_clip;
using audio::testing_support::sized;

/// Definitions that are centred or not, with hops from a sample to the whole window.
std::vector<MelOptions> various() {
  std::vector<MelOptions> out = {MelOptions{},
                                 audio::mel_preset("tacotron2"),
                                 sized(1024, 275, 1000, 20),
                                 sized(400, 160, 400, 20),
                                 sized(30, 7, 21, 5),
                                 sized(250, 250, 250, 3)};
  for (size_t i = 2; i < 6; ++i) {
    out.push_back(out[i]);
    out.back().center = true;
  }
  return out;
}

/// The first `frames` frames of a clip, [n_mels, frames].
std::vector<float> first_frames(const audio::MelCpu& mel, std::span<const int16_t> clip,
                                size_t frames) {
  const auto all = static_cast<size_t>(mel.frames(static_cast<int64_t>(clip.size())));
  const auto n_mels = static_cast<size_t>(mel.options().n_mels);
  std::vector<float> whole(n_mels * all);
  audio::MelCpu::Workspace workspace(mel);
  mel.apply(clip, workspace, {whole.data(), all, all});
  std::vector<float> out;
  for (size_t band = 0; band < n_mels; ++band) {
    const auto row = std::span(whole).subspan(band * all, std::min(frames, all));
    out.insert(out.end(), row.begin(), row.end());
  }
  return out;
}

TEST(SamplesNeeded, GiveTheFramesOfTheWholeClip) {
  for (const MelOptions& options : various()) {
    const audio::MelCpu mel(options);
    const auto clip = made_clip(12000);
    for (const int frames : {1, 2, 3, 7, 30}) {
      const auto needed = static_cast<size_t>(samples_needed(options, frames));
      ASSERT_LE(needed, clip.size());
      const auto cut = std::span<const int16_t>(clip).first(needed);
      EXPECT_EQ(first_frames(mel, cut, static_cast<size_t>(frames)),
                first_frames(mel, clip, static_cast<size_t>(frames)))
          << audio::describe(options).dump() << ", " << frames << " frames";
    }
  }
}

TEST(SamplesNeeded, HaveAtLeastThatManyFrames) {
  for (const MelOptions& options : various()) {
    for (const int frames : {1, 2, 9, 800})
      EXPECT_GE(audio::mel_frames(options, samples_needed(options, frames)), frames);
  }
}

TEST(SamplesNeeded, NoneFewerWouldDo) {
  const MelOptions options;
  const audio::MelCpu mel(options);
  const auto clip = made_clip(12000);
  const auto needed = static_cast<size_t>(samples_needed(options, 9));
  // The window's last value is not zero, so that the last sample is heard.
  const auto cut = std::span<const int16_t>(clip).first(needed - 2);
  EXPECT_NE(first_frames(mel, cut, 9), first_frames(mel, clip, 9));
}

TEST(SamplesNeeded, AreNoneForNoFrame) {
  EXPECT_EQ(samples_needed(MelOptions{}, 0), 0);
}

}  // namespace
}  // namespace seda::feed
