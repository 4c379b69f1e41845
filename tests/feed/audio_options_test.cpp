// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/audio_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/error_message.h"

namespace seda::feed {
namespace {

using testing::HasSubstr;
using testing_support::error_message;

config::Config parsed(const std::string& yaml) {
  auto reading = config::parse_config(yaml, "seda.yaml");
  EXPECT_TRUE(reading.problems.empty()) << yaml;
  return reading.config;
}

TEST(AudioOptions, OfNothingAreTheDefaults) {
  const AudioOptions options = audio_options(config::Config(), false);
  EXPECT_EQ(options.mel, audio::MelOptions());
  EXPECT_EQ(options.sound, audio::SoundOptions());
  EXPECT_EQ(options.kind, AudioKind::mel);
  EXPECT_EQ(options.identity, FileIdentity::stat);
}

TEST(AudioOptions, KeysChangePartsOfThePreset) {
  const auto mel =
      mel_options(parsed("data: {mel: {preset: tacotron2, n_mels: 100, floor: 1e-3}}"));
  EXPECT_TRUE(mel.center);
  EXPECT_EQ(mel.n_mels, 100);
  EXPECT_EQ(mel.floor, 1e-3);
  EXPECT_EQ(mel.n_fft, 1024);
}

TEST(AudioOptions, CarryEveryMelKey) {
  const auto mel = mel_options(
      parsed("data: {mel: {sample_rate: 16000, n_fft: 800, hop_length: 200, win_length: 640, "
             "center: true, n_mels: 40, fmin: 50, fmax: 7000, filterbank: htk, power: 2, "
             "compression: log10, floor: 1e-8}}"));
  EXPECT_EQ(mel, (audio::MelOptions{16000, 800, 200, 640, true, 40, 50, 7000,
                                    audio::Filterbank::htk, 2, audio::Compression::log10, 1e-8}));
}

TEST(AudioOptions, FullbandReachesToHalfAnySampleRate) {
  EXPECT_EQ(mel_options(parsed("data: {mel: {preset: fullband}}")).fmax, 11025);
  EXPECT_EQ(mel_options(parsed("data: {mel: {preset: fullband, sample_rate: 48000}}")).fmax, 24000);
  EXPECT_EQ(
      mel_options(parsed("data: {mel: {preset: fullband, sample_rate: 48000, fmax: 9000}}")).fmax,
      9000);
}

TEST(AudioOptions, WhatThePresetSaysIsCutToWhatCanBe) {
  EXPECT_EQ(mel_options(parsed("data: {mel: {sample_rate: 8000}}")).fmax, 4000);
  EXPECT_EQ(mel_options(parsed("data: {mel: {n_fft: 512}}")).win_length, 512);
  EXPECT_EQ(mel_options(parsed("data: {mel: {n_fft: 2048}}")).win_length, 1024);
}

TEST(AudioOptions, SoundIsReadAtTheRateOfTheMel) {
  const auto sound = sound_options(
      parsed("data: {mel: {sample_rate: 16000}, audio: {trim_silence: true, silence_threshold: 30, "
             "trim_margin: 0.2, loudness: -20, resample_quality: best}}"));
  EXPECT_EQ(sound.sample_rate, 16000);
  EXPECT_EQ(sound.trim_below_db, 30);
  EXPECT_EQ(sound.trim_margin_s, 0.2);
  EXPECT_EQ(sound.loudness_lufs, -20);
  EXPECT_EQ(sound.peak_dbfs, std::nullopt);
  EXPECT_EQ(sound.resample_quality, audio::ResampleQuality::best);
  EXPECT_EQ(sound_options(parsed("data: {audio: {peak: -3}}")).peak_dbfs, -3);
}

TEST(AudioOptions, WithoutTrimmingItsValuesChangeNothing) {
  EXPECT_EQ(sound_options(parsed("data: {audio: {silence_threshold: 20, trim_margin: 1}}")),
            audio::SoundOptions());
}

TEST(AudioOptions, SamplesAreKeptWhereAGpuCanMakeTheMels) {
  EXPECT_EQ(audio_kind(config::Config(), true), AudioKind::pcm16);
  EXPECT_EQ(audio_kind(config::Config(), false), AudioKind::mel);
  for (const bool gpu : {true, false}) {
    EXPECT_EQ(audio_kind(parsed("data: {preprocessing_mode: precompute}"), gpu), AudioKind::mel);
    EXPECT_EQ(audio_kind(parsed("data: {preprocessing_mode: on_the_fly}"), gpu), AudioKind::pcm16);
  }
}

TEST(AudioOptions, WhatCannotBeIsNamed) {
  EXPECT_THAT(error_message([] { audio_options(parsed("data: {mel: {n_fft: 1022}}"), false); }),
              HasSubstr("data.mel.n_fft"));
}

TEST(AudioDescription, OfSamplesDoesNotDependOnTheMel) {
  AudioOptions a;
  AudioOptions b;
  b.mel.n_mels = 100;
  EXPECT_NE(audio_description(a), audio_description(b));
  a.kind = b.kind = AudioKind::pcm16;
  EXPECT_EQ(audio_description(a), audio_description(b));
  b.identity = FileIdentity::content;
  EXPECT_NE(audio_description(a), audio_description(b));
}

}  // namespace
}  // namespace seda::feed
