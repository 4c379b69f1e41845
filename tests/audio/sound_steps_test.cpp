// SPDX-License-Identifier: Apache-2.0
// What a reader does between decoding and 16 bits, by files.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/audio/sound_reader.h"
#include "tests/audio/sound_samples.h"
#include "tests/support/sound_files.h"
#include "tests/support/temporary_folder.h"

namespace seda::audio {
namespace {

using testing_support::sine_frames;
using testing_support::TemporaryFolder;
using testing_support::write_sound;

TEST(SoundSteps, TrimmingCutsTheEndsAndSilenceIsAFault) {
  const TemporaryFolder folder;
  std::vector<double> frames(22050, 0.0);
  for (const double x : sine_frames(440, 0.5, 0.5, 22050))
    frames.push_back(x);
  frames.resize(frames.size() + 22050, 0.0);
  write_sound(folder / "a.wav", {}, frames);
  write_sound(folder / "silent.wav", {}, std::vector<double>(22050, 0.0));
  SoundOptions options = at_rate(22050);
  options.trim_below_db = 40;
  options.trim_margin_s = 0.1;
  SoundReader reader(options);
  const auto sound = reader.read(folder / "a.wav");
  EXPECT_NEAR(static_cast<double>(sound.value().samples.size()), 0.7 * 22050, 0.04 * 22050);
  EXPECT_EQ(sound.value().trimmed,
            static_cast<int64_t>(frames.size() - sound.value().samples.size()));
  EXPECT_EQ(reader.read(folder / "silent.wav").fault().code, "audio_silent");
}

TEST(SoundSteps, PeakAndLoudnessAreReached) {
  const TemporaryFolder folder;
  write_sound(folder / "a.wav", {}, sine_frames(997, 0.1, 2, 22050));
  SoundOptions peak = at_rate(22050);
  peak.peak_dbfs = -6;
  const auto loud = SoundReader(peak).read(folder / "a.wav");
  EXPECT_NEAR(loud.value().gain_db, 14, 0.01);
  SoundOptions loudness = at_rate(22050);
  loudness.loudness_lufs = -26;
  SoundReader reader(loudness);
  const auto sound = reader.read(folder / "a.wav");
  EXPECT_NEAR(sound.value().gain_db, -26 + 3.01 + 20, 0.05);
  EXPECT_FALSE(sound.value().limited);
  const auto largest = std::ranges::max(samples_of(sound));
  EXPECT_NEAR(largest, 32768 * std::pow(10, (-26 + 3.01) / 20), 20);
}

TEST(SoundSteps, LoudnessStopsAtFullScale) {
  const TemporaryFolder folder;
  auto frames = sine_frames(997, 0.05, 2, 22050);
  frames[100] = 0.9;
  write_sound(folder / "a.wav", {}, frames);
  SoundOptions options = at_rate(22050);
  options.loudness_lufs = -12;
  SoundReader reader(options);
  const auto sound = reader.read(folder / "a.wav");
  EXPECT_TRUE(sound.value().limited);
  EXPECT_EQ(sound.value().clipped, 0);
  EXPECT_EQ(std::ranges::max(samples_of(sound)), 32767);
}

TEST(SoundSteps, SilenceKeepsItsLevel) {
  const TemporaryFolder folder;
  write_sound(folder / "a.wav", {}, std::vector<double>(22050, 0.0));
  SoundOptions options = at_rate(22050);
  options.loudness_lufs = -23;
  EXPECT_EQ(SoundReader(options).read(folder / "a.wav").value().gain_db, 0);
}

}  // namespace
}  // namespace seda::audio
