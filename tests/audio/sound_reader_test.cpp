// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/sound_reader.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/audio/wav_writer.h"
#include "seda/base/random.h"
#include "tests/support/allocations.h"
#include "tests/support/shared_data.h"
#include "tests/support/sound_files.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/threads.h"

namespace seda::audio {
namespace {

using testing_support::sine_frames;
using testing_support::SoundFormat;
using testing_support::TemporaryFolder;
using testing_support::write_sound;

SoundOptions at_rate(int rate) {
  SoundOptions options;
  options.sample_rate = rate;
  return options;
}

std::vector<int16_t> samples_of(const Result<Sound>& sound) {
  const auto samples = sound.value().samples;
  return {samples.begin(), samples.end()};
}

std::vector<int16_t> random_samples(size_t count) {
  Random random(7);
  std::vector<int16_t> samples(count);
  for (auto& sample : samples)
    sample = static_cast<int16_t>(random.below(65536));
  return samples;
}

/// Mean of the channels, rounded to 16 bits, in double precision.
std::vector<int16_t> reference(const std::vector<double>& frames, int channels) {
  std::vector<int16_t> out;
  for (size_t t = 0; t < frames.size(); t += static_cast<size_t>(channels)) {
    double sum = 0;
    for (size_t c = 0; c < static_cast<size_t>(channels); ++c)
      sum += frames[t + c];
    out.push_back(static_cast<int16_t>(
        std::clamp(std::nearbyint(sum / channels * 32768), -32768.0, 32767.0)));
  }
  return out;
}

/// Power of `want` over power of the difference, dB, 100 ms from the ends on.
double signal_to_noise(std::span<const int16_t> got, std::span<const int16_t> want, int rate) {
  const auto skip = static_cast<size_t>(rate) / 10;
  double signal = 0;
  double noise = 1e-9;
  for (size_t t = skip; t + skip < std::min(got.size(), want.size()); ++t) {
    signal += std::pow(static_cast<double>(want[t]), 2);
    noise += std::pow(static_cast<double>(got[t] - want[t]), 2);
  }
  return 10 * std::log10(signal / noise);
}

int largest_difference(std::span<const int16_t> a, std::span<const int16_t> b) {
  int largest = 0;
  for (size_t t = 0; t < a.size(); ++t)
    largest = std::max(largest, std::abs(a[t] - b[t]));
  return largest;
}

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

TEST(SoundReader, LossyKindsAreClose) {
  const TemporaryFolder folder;
  struct Lossy {
    const char* name;
    int format;
    const char* described;
    double least_db;
  };
  for (const Lossy& kind : {Lossy{"a.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, "ogg", 15},
                            Lossy{"a.opus", SF_FORMAT_OGG | SF_FORMAT_OPUS, "opus", 15},
                            Lossy{"a.mp3", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, "mp3", 15},
                            Lossy{"ulaw.wav", SF_FORMAT_WAV | SF_FORMAT_ULAW, "wav ulaw", 30},
                            Lossy{"alaw.wav", SF_FORMAT_WAV | SF_FORMAT_ALAW, "wav alaw", 30}}) {
    for (const int channels : {1, 2}) {
      const auto frames = sine_frames(440, 0.5, 1, 48000, channels);
      write_sound(folder / kind.name, {kind.format, 48000, channels}, frames);
      SoundReader reader(at_rate(48000));
      const auto sound = reader.read(folder / kind.name);
      ASSERT_TRUE(sound) << kind.name << " " << sound.fault().evidence;
      EXPECT_NEAR(static_cast<double>(sound.value().samples.size()), 48000, 2400) << kind.name;
      EXPECT_GT(signal_to_noise(sound.value().samples, reference(frames, channels), 48000),
                kind.least_db)
          << kind.name << " " << channels;
      EXPECT_EQ(sound.value().source.format, kind.described);
      EXPECT_EQ(sound.value().source.channels, channels);
      const auto probe = probe_sound(folder / kind.name);
      ASSERT_TRUE(probe);
      EXPECT_EQ(probe.value(), sound.value().source) << kind.name;
    }
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

TEST(SoundReader, BothSizesAreInTheEvidenceOfATruncatedClip) {
  const TemporaryFolder folder;
  const auto flac = write_sound(folder / "a.flac", {SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 22050, 1},
                                sine_frames(440, 0.5, 2, 22050));
  std::filesystem::resize_file(flac, std::filesystem::file_size(flac) / 2);
  SoundReader reader(at_rate(22050));
  const auto cut = reader.read(flac);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.fault().code, "audio_truncated");
  EXPECT_THAT(cut.fault().evidence, testing::HasSubstr("expected 44100 samples, found "));
}

TEST(SoundReader, TrimmingCutsTheEndsAndSilenceIsAFault) {
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

TEST(SoundReader, PeakAndLoudnessAreReached) {
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

TEST(SoundReader, LoudnessStopsAtFullScale) {
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

TEST(SoundReader, SilenceKeepsItsLevel) {
  const TemporaryFolder folder;
  write_sound(folder / "a.wav", {}, std::vector<double>(22050, 0.0));
  SoundOptions options = at_rate(22050);
  options.loudness_lufs = -23;
  EXPECT_EQ(SoundReader(options).read(folder / "a.wav").value().gain_db, 0);
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

TEST(SoundReader, ThreadsWithReadersOfTheirOwnAgree) {
  const TemporaryFolder folder;
  std::vector<std::filesystem::path> files;
  for (const int format :
       {SF_FORMAT_FLAC | SF_FORMAT_PCM_16, SF_FORMAT_OGG | SF_FORMAT_VORBIS,
        SF_FORMAT_OGG | SF_FORMAT_OPUS, SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III}) {
    const auto name = folder / std::to_string(format);
    files.push_back(write_sound(name, {format, 48000, 1}, sine_frames(440, 0.5, 1, 48000)));
  }
  SoundReader alone(at_rate(22050));
  std::vector<std::vector<int16_t>> want;
  for (const auto& file : files)
    want.push_back(samples_of(alone.read(file)));
  testing_support::run_threads(4, [&](size_t thread) {
    SoundReader reader(at_rate(22050));
    for (size_t i = 0; i < 12; ++i) {
      const size_t k = (thread + i) % files.size();
      EXPECT_EQ(samples_of(reader.read(files[k])), want[k]);
    }
  });
}

TEST(SoundReader, RealFlacClipsEqualTheirWavs) {
  const auto clips = testing_support::shared_data() / "ljspeech32" / "wavs";
  if (!exists(clips)) GTEST_SKIP() << "no " << clips;
  SoundReader flac(at_rate(22050));
  SoundReader wav(at_rate(22050));
  SoundReader mp3(at_rate(22050));
  for (const char* name : {"LJ001-0001", "LJ001-0002", "LJ001-0003", "LJ001-0004"}) {
    const auto want = wav.read(clips / (std::string(name) + ".wav"));
    EXPECT_EQ(samples_of(flac.read(clips / (std::string(name) + ".flac"))), samples_of(want));
    const auto lossy = mp3.read(clips / (std::string(name) + ".mp3"));
    EXPECT_NEAR(lossy.value().source.seconds(), want.value().source.seconds(), 0.06);
    EXPECT_GT(signal_to_noise(lossy.value().samples, want.value().samples, 22050), 10) << name;
  }
}

}  // namespace
}  // namespace seda::audio
