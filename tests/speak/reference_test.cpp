// SPDX-License-Identifier: Apache-2.0
#include "seda/speak/reference.h"

#include <cmath>
#include <numbers>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/audio/mel_cpu.h"
#include "seda/audio/wav_writer.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace seda::speak {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::error_message;
using testing_support::TemporaryFolder;

std::vector<int16_t> tone(double seconds, int sample_rate) {
  std::vector<int16_t> out(static_cast<size_t>(seconds * sample_rate));
  for (size_t i = 0; i < out.size(); ++i) {
    const double time_s = static_cast<double>(i) / sample_rate;
    out[i] = static_cast<int16_t>(10000 * std::sin(2 * std::numbers::pi * 440 * time_s));
  }
  return out;
}

TEST(Reference, IsTheMelOfTheClipAtTheVoicesRate) {
  const TemporaryFolder folder;
  const auto path = folder / "a.wav";
  audio::write_wav(path, tone(1, 22050), 22050);
  const audio::MelOptions options;
  const auto mel = read_reference(path, options);
  EXPECT_EQ(mel.n_mels, 80);
  EXPECT_EQ(mel.frames, audio::mel_frames(options, 22050));
  const auto samples = tone(1, 22050);
  const audio::MelCpu plan(options);
  audio::MelCpu::Workspace workspace(plan);
  std::vector<float> expected(mel.values.size());
  const auto frames = static_cast<size_t>(mel.frames);
  plan.apply(samples, workspace, {expected.data(), frames, frames});
  EXPECT_EQ(mel.values, expected);

  audio::write_wav(path, tone(1, 44100), 44100);
  EXPECT_EQ(read_reference(path, options).frames, mel.frames) << "resampled";
}

TEST(Reference, OfLessThanHalfASecondSaysHowLongItIs) {
  const TemporaryFolder folder;
  audio::write_wav(folder / "a.wav", tone(0.3, 22050), 22050);
  EXPECT_THAT(error_message([&] { read_reference(folder / "a.wav", {}); }),
              AllOf(HasSubstr("a.wav"), HasSubstr("0.30 s"), HasSubstr("0.5 s")));
}

TEST(Reference, DoesNotCountSilence) {
  const TemporaryFolder folder;
  auto samples = tone(0.2, 22050);
  samples.resize(22050 * 2);
  audio::write_wav(folder / "a.wav", samples, 22050);
  EXPECT_THAT(error_message([&] { read_reference(folder / "a.wav", {}); }),
              HasSubstr("0.5 s are needed"));
}

TEST(Reference, ThatCannotBeReadIsNamed) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_message([&] { read_reference(folder / "gone.wav", {}); }),
              AllOf(HasSubstr("gone.wav"), HasSubstr("audio_missing")));
  folder.write("text.wav", "no sound");
  EXPECT_THAT(error_message([&] { read_reference(folder / "text.wav", {}); }),
              HasSubstr("audio_format"));
}

}  // namespace
}  // namespace seda::speak
