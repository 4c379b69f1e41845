// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/sound_reader.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/audio/wav_writer.h"
#include "tests/audio/sound_samples.h"
#include "tests/support/allocations.h"
#include "tests/support/sound_files.h"
#include "tests/support/temporary_folder.h"

namespace seda::audio {
namespace {

using testing_support::sine_frames;
using testing_support::SoundFormat;
using testing_support::TemporaryFolder;
using testing_support::write_sound;

TEST(SoundReader, PlainWavIsTheFilesOwnBytes) {
  const TemporaryFolder folder;
  const auto samples = random_samples(50'000);
  write_wav(folder / "a.wav", samples, 22050);
  SoundReader reader(at_rate(22050));
  const auto sound = reader.read(folder / "a.wav");
  EXPECT_EQ(samples_of(sound), samples);
  EXPECT_FALSE(sound.value().copied);
  EXPECT_FALSE(sound.value().resampled);
  EXPECT_FALSE(sound.value().mixed);
  EXPECT_EQ(sound.value().source, (SoundInfo{"wav pcm16", 22050, 1, 50'000}));
}

TEST(SoundReader, PlainWavLongerThanTheWindowIsTheSame) {
  const TemporaryFolder folder;
  const auto samples = random_samples(3'000'000);
  write_wav(folder / "a.wav", samples, 22050);
  SoundReader reader(at_rate(22050));
  EXPECT_EQ(samples_of(reader.read(folder / "a.wav")), samples);
  SoundOptions peak = at_rate(22050);
  peak.peak_dbfs = 0;
  SoundReader decoding(peak);
  const auto sound = decoding.read(folder / "a.wav");
  EXPECT_TRUE(sound.value().copied);
  EXPECT_LE(largest_difference(sound.value().samples, samples), 1);
}

TEST(SoundReader, LoadsThenDecodes) {
  const TemporaryFolder folder;
  const auto first = random_samples(5'000);
  const auto second = random_samples(3'000);
  write_wav(folder / "a.wav", first, 22050);
  write_wav(folder / "b.wav", second, 22050);
  SoundReader reader(at_rate(22050));
  ASSERT_FALSE(reader.load(folder / "a.wav"));
  std::filesystem::remove(folder / "a.wav");
  EXPECT_EQ(samples_of(reader.sound()), first) << "what was loaded needs the file no more";
  ASSERT_FALSE(reader.load(folder / "b.wav"));
  EXPECT_EQ(samples_of(reader.sound()), second);
}

TEST(SoundReader, LoadingTellsAMissingFileDecodingABadOne) {
  const TemporaryFolder folder;
  folder.write("bad.wav", "This is a letter, not a sound.");
  SoundReader reader(at_rate(22050));
  ASSERT_TRUE(reader.load(folder / "nowhere.wav"));
  EXPECT_EQ(reader.load(folder / "nowhere.wav")->code, "audio_missing");
  ASSERT_FALSE(reader.load(folder / "bad.wav"));
  EXPECT_EQ(reader.sound().fault().code, "audio_format");
}

struct Kind {
  std::string name;
  int format = 0;
  std::string described;
  int within = 0;  ///< Steps of 16 bits from what was written.
};

const std::vector<Kind>& lossless_kinds() {
  static const std::vector<Kind> kinds = {
      {"8.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_U8, "wav pcm8", 256},
      {"16.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, "wav pcm16", 1},
      {"24.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_24, "wav pcm24", 0},
      {"32.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_32, "wav pcm32", 0},
      {"float.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT, "wav float32", 0},
      {"double.wav", SF_FORMAT_WAV | SF_FORMAT_DOUBLE, "wav float64", 0},
      {"extensible16.wav", SF_FORMAT_WAVEX | SF_FORMAT_PCM_16, "wav pcm16", 1},
      {"extensible24.wav", SF_FORMAT_WAVEX | SF_FORMAT_PCM_24, "wav pcm24", 0},
      {"extensiblefloat.wav", SF_FORMAT_WAVEX | SF_FORMAT_FLOAT, "wav float32", 0},
      {"long.wav", SF_FORMAT_RF64 | SF_FORMAT_PCM_24, "wav pcm24", 0},
      {"16.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, "flac", 1},
      {"24.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_24, "flac", 0},
  };
  return kinds;
}

TEST(SoundReader, LosslessKindsAreTheMeanOfAnyNumberOfChannels) {
  const TemporaryFolder folder;
  SoundReader reader(at_rate(22050));
  for (const Kind& kind : lossless_kinds()) {
    for (int channels = 1; channels <= 6; ++channels) {
      const auto frames = sine_frames(440, 0.9, 0.3, 22050, channels);
      write_sound(folder / kind.name, {kind.format, 22050, channels}, frames);
      const auto sound = reader.read(folder / kind.name);
      ASSERT_TRUE(sound) << kind.name << " " << sound.fault().evidence;
      const auto want = reference(frames, channels);
      ASSERT_EQ(sound.value().samples.size(), want.size()) << kind.name;
      // Rounding may fall the other way where a mean is a half.
      EXPECT_LE(largest_difference(sound.value().samples, want), std::max(1, kind.within))
          << kind.name << " " << channels;
      EXPECT_EQ(sound.value().mixed, channels > 1);
      EXPECT_EQ(sound.value().source,
                (SoundInfo{kind.described, 22050, channels, static_cast<int64_t>(want.size())}));
      EXPECT_EQ(probe_sound(folder / kind.name).value(), sound.value().source);
    }
  }
}

TEST(SoundReader, SixteenBitsInAnyKindOfFileComeBackExactly) {
  const TemporaryFolder folder;
  const auto samples = random_samples(20'000);
  std::vector<double> frames;
  for (const int16_t sample : samples)
    frames.push_back(sample / 32768.0);
  SoundReader reader(at_rate(22050));
  for (const int format : {SF_FORMAT_WAV | SF_FORMAT_PCM_16, SF_FORMAT_WAV | SF_FORMAT_PCM_24,
                           SF_FORMAT_WAV | SF_FORMAT_PCM_32, SF_FORMAT_WAVEX | SF_FORMAT_PCM_24,
                           SF_FORMAT_FLAC | SF_FORMAT_PCM_16, SF_FORMAT_FLAC | SF_FORMAT_PCM_24}) {
    const auto file = write_sound(folder / "a", {format, 22050, 1}, samples);
    EXPECT_EQ(samples_of(reader.read(file)), samples) << std::hex << format;
  }
  for (const int format : {SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE}) {
    const auto file = write_sound(folder / "a", {SF_FORMAT_WAV | format, 22050, 1}, frames);
    EXPECT_EQ(samples_of(reader.read(file)), samples) << std::hex << format;
  }
}

TEST(SoundReader, AnyRateBecomesTheWantedOne) {
  const TemporaryFolder folder;
  SoundReader reader(at_rate(22050));
  const auto want = reference(sine_frames(1000, 0.5, 1, 22050), 1);
  for (const int rate : {8000, 11025, 12000, 16000, 24000, 32000, 44100, 48000, 88200, 96000}) {
    for (const int channels : {1, 3}) {
      const auto frames = sine_frames(1000, channels == 1 ? 0.5 : 0.5 * 27 / 19, 1, rate, channels);
      const auto file =
          write_sound(folder / "a.wav", {SF_FORMAT_WAV | SF_FORMAT_PCM_16, rate, channels}, frames);
      const auto sound = reader.read(file);
      ASSERT_TRUE(sound);
      EXPECT_TRUE(sound.value().resampled);
      ASSERT_EQ(sound.value().samples.size(), 22050u) << rate;
      EXPECT_GT(signal_to_noise(sound.value().samples, want, 22050), 75) << rate << " " << channels;
    }
  }
}

TEST(SoundReader, SteadyStateTakesNoMemory) {
  if (!testing_support::allocations_are_counted()) GTEST_SKIP() << "not counted here";
  const TemporaryFolder folder;
  write_wav(folder / "plain.wav", random_samples(50'000), 22050);
  write_wav(folder / "other.wav", random_samples(50'000), 16000);
  write_sound(folder / "stereo.wav", {SF_FORMAT_WAV | SF_FORMAT_FLOAT, 48000, 2},
              sine_frames(440, 0.5, 1, 48000, 2));
  write_sound(folder / "a.flac", {SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 22050, 1},
              sine_frames(440, 0.5, 1, 22050));
  SoundReader reader(at_rate(22050));
  const auto read_all = [&] {
    for (const char* name : {"plain.wav", "other.wav", "stereo.wav", "a.flac"})
      ASSERT_TRUE(reader.read(folder / name));
  };
  read_all();
  const auto before = testing_support::allocations();
  for (int round = 0; round < 10; ++round)
    read_all();
  const auto after = testing_support::allocations();
  // Names and small objects only: nothing of a clip's size.
  EXPECT_LT(after.bytes - before.bytes, 10u * 4 * 1024);
}

TEST(SoundReader, ManyRatesKeepFewResamplers) {
  const TemporaryFolder folder;
  SoundReader reader(at_rate(22050));
  std::vector<std::vector<int16_t>> first;
  for (int round = 0; round < 2; ++round) {
    for (int k = 0; k < 20; ++k) {
      write_wav(folder / "a.wav", random_samples(2'000), 8000 + 977 * k);
      const auto got = samples_of(reader.read(folder / "a.wav"));
      if (round == 0) first.push_back(got);
      EXPECT_EQ(got, first[static_cast<size_t>(k)]);
    }
  }
}

TEST(SoundReader, LoudFloatsAreHeldAndCounted) {
  const TemporaryFolder folder;
  const auto file = write_sound(folder / "a.wav", {SF_FORMAT_WAV | SF_FORMAT_FLOAT, 22050, 1},
                                std::vector{0.5, 1.5, -1.0, -1.5, 1.0, 0.0, 32767.0});
  SoundReader reader(at_rate(22050));
  const auto sound = reader.read(file);
  EXPECT_EQ(samples_of(sound),
            (std::vector<int16_t>{16384, 32767, -32768, -32768, 32767, 0, 32767}));
  EXPECT_EQ(sound.value().clipped, 4);
}

TEST(SoundReader, ABadSampleIsNamedByItsPlace) {
  const TemporaryFolder folder;
  std::vector<double> frames(2 * 70'000, 0.1);
  frames[2 * 68'000 + 1] = std::nan("");
  const auto file =
      write_sound(folder / "a.wav", {SF_FORMAT_WAV | SF_FORMAT_FLOAT, 22050, 2}, frames);
  SoundReader reader(at_rate(22050));
  const auto sound = reader.read(file);
  ASSERT_FALSE(sound);
  EXPECT_EQ(sound.fault().code, "audio_not_finite");
  EXPECT_THAT(sound.fault().evidence, testing::HasSubstr("found nan at sample 68000"));
}

TEST(SoundReader, ResultDoesNotDependOnWhatWasReadBefore) {
  const TemporaryFolder folder;
  const auto flac = write_sound(folder / "a.flac", {SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 16000, 2},
                                sine_frames(440, 0.5, 1, 16000, 2));
  const auto ogg = write_sound(folder / "b.ogg", {SF_FORMAT_OGG | SF_FORMAT_VORBIS, 16000, 1},
                               sine_frames(300, 0.5, 3, 16000));
  SoundReader fresh(at_rate(22050));
  const auto want = samples_of(fresh.read(flac));
  SoundReader used(at_rate(22050));
  used.read(ogg);
  used.read(folder / "missing");
  EXPECT_EQ(samples_of(used.read(flac)), want);
}

}  // namespace
}  // namespace seda::audio
