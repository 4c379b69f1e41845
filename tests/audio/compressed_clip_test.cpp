// SPDX-License-Identifier: Apache-2.0
// flac, ogg, opus and mp3, whole and cut.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/audio/sound_reader.h"
#include "tests/audio/sound_samples.h"
#include "tests/support/shared_data.h"
#include "tests/support/sound_files.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/threads.h"

namespace seda::audio {
namespace {

using testing_support::sine_frames;
using testing_support::TemporaryFolder;
using testing_support::write_sound;

TEST(CompressedClip, LossyKindsAreClose) {
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

TEST(CompressedClip, BothSizesAreInTheEvidenceOfATruncatedClip) {
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

TEST(CompressedClip, OggWithoutItsEndIsTruncated) {
  const TemporaryFolder folder;
  for (const int encoding : {SF_FORMAT_VORBIS, SF_FORMAT_OPUS}) {
    const auto whole = write_sound(folder / "a.ogg", {SF_FORMAT_OGG | encoding, 48000, 1},
                                   sine_frames(440, 0.5, 5, 48000));
    const std::string bytes = testing_support::read_file(whole);
    SoundReader reader(at_rate(22050));
    const auto cut = reader.read(folder.write("cut.ogg", bytes.substr(0, bytes.size() - 100)));
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.fault().code, "audio_truncated");
    EXPECT_THAT(cut.fault().evidence, testing::HasSubstr("expected the end of the stream"));
  }
}

/// Two seconds of mp3, whose first frame is a table that says so.
std::string mp3_bytes(const TemporaryFolder& folder) {
  const auto file =
      write_sound(folder / "whole.mp3", {SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, 22050, 1},
                  sine_frames(440, 0.5, 2, 22050));
  return testing_support::read_file(file);
}

TEST(CompressedClip, Mp3ThatEndsBeforeItsTableSaysIsTruncated) {
  const TemporaryFolder folder;
  const std::string whole = mp3_bytes(folder);
  SoundReader reader(at_rate(22050));
  EXPECT_EQ(reader.read(folder / "whole.mp3").value().samples.size(), 44100u);
  const auto cut = reader.read(folder.write("cut.mp3", whole.substr(0, whole.size() / 2)));
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.fault().code, "audio_truncated");
  EXPECT_THAT(cut.fault().evidence, testing::HasSubstr("expected 44100 samples, found "));
}

TEST(CompressedClip, Mp3WithoutATableOrBehindATagIsReadToItsEnd) {
  const TemporaryFolder folder;
  const std::string whole = mp3_bytes(folder);
  const std::string bare = whole.substr(whole.find(whole.substr(0, 2), 4));
  const std::string tag = std::string("ID3\x04\0\0\0\0\x10\0", 10) + std::string(2048, '\0');
  SoundReader reader(at_rate(22050));
  for (const std::string& bytes : {bare, tag + bare}) {
    const auto file = folder.write("a.mp3", bytes);
    const auto sound = reader.read(file);
    ASSERT_TRUE(sound) << sound.fault().evidence;
    EXPECT_NEAR(sound.value().source.seconds(), 2, 0.15);
    EXPECT_NEAR(probe_sound(file).value().seconds(), sound.value().source.seconds(), 0.06);
  }
  const auto tagged = reader.read(folder.write("a.mp3", tag + whole));
  EXPECT_EQ(tagged.value().samples.size(), 44100u);
}

TEST(CompressedClip, FlacBehindATagIsFlac) {
  const TemporaryFolder folder;
  const auto samples = random_samples(5000);
  const auto flac =
      write_sound(folder / "a.flac", {SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 22050, 1}, samples);
  const std::string tag = std::string("ID3\x04\0\0\0\0\x01\0", 10) + std::string(128, '\0');
  SoundReader reader(at_rate(22050));
  const auto sound = reader.read(folder.write("b", tag + testing_support::read_file(flac)));
  ASSERT_TRUE(sound) << sound.fault().evidence;
  EXPECT_EQ(samples_of(sound), samples);
}

TEST(CompressedClip, FlacOfUnknownLengthIsReadToItsEnd) {
  const TemporaryFolder folder;
  const auto samples = random_samples(50'000);
  const auto flac =
      write_sound(folder / "a.flac", {SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 22050, 1}, samples);
  std::string bytes = testing_support::read_file(flac);
  bytes[21] = static_cast<char>(bytes[21] & 0xf0);  // 36 bits of the first block
  bytes.replace(22, 4, 4, '\0');
  SoundReader reader(at_rate(22050));
  const auto sound = reader.read(folder.write("b.flac", bytes));
  ASSERT_TRUE(sound) << sound.fault().evidence;
  EXPECT_EQ(samples_of(sound), samples);
  EXPECT_EQ(probe_sound(folder / "b.flac").value().frames, 0);
}

TEST(CompressedClip, ThreadsWithReadersOfTheirOwnAgree) {
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

TEST(CompressedClip, RealFlacClipsEqualTheirWavs) {
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
