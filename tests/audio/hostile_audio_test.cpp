// SPDX-License-Identifier: Apache-2.0
// Files that are no clips: each is a fault with its code, never a crash, a wait or much memory.
#include "tests/support/hostile_audio.h"

#include <algorithm>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/audio/sound_reader.h"
#include "tests/support/allocations.h"
#include "tests/support/temporary_folder.h"

namespace seda::audio {
namespace {

using testing_support::HostileFile;
using testing_support::OddFile;
using testing_support::TemporaryFolder;

SoundOptions every_step() {
  SoundOptions options;
  options.sample_rate = 16000;
  options.trim_below_db = 40;
  options.loudness_lufs = -23;
  return options;
}

std::string code_of(const Result<Sound>& sound) {
  return sound ? "none" : sound.fault().code;
}

TEST(HostileAudio, IsAFaultWithItsCode) {
  const TemporaryFolder folder;
  SoundReader plain{SoundOptions{}};
  SoundReader busy(every_step());
  for (const HostileFile& file : testing_support::write_hostile_audio(folder.path())) {
    for (SoundReader* reader : {&plain, &busy}) {
      const auto sound = reader->read(folder / file.name);
      EXPECT_EQ(code_of(sound), file.expected_code) << file.name;
      if (sound) continue;
      EXPECT_EQ(sound.fault().id, (folder / file.name).native());
      EXPECT_NE(sound.fault().evidence, "") << file.name;
    }
  }
}

TEST(HostileAudio, WithWrongButHarmlessHeadersIsRead) {
  const TemporaryFolder folder;
  SoundReader reader{SoundOptions{}};
  for (const OddFile& file : testing_support::write_odd_audio(folder.path())) {
    const auto sound = reader.read(folder / file.name);
    ASSERT_TRUE(sound) << file.name << ": " << sound.fault().evidence;
    ASSERT_EQ(sound.value().samples.size(), file.samples) << file.name;
    const auto bytes = std::as_bytes(sound.value().samples);
    const std::string want = testing_support::wav_bytes_by_hand::tone(file.samples);
    EXPECT_EQ(std::memcmp(bytes.data(), want.data(), want.size()), 0) << file.name;
    const auto probe = probe_sound(folder / file.name);
    ASSERT_TRUE(probe) << file.name;
    EXPECT_EQ(probe.value(), sound.value().source) << file.name;
  }
}

TEST(HostileAudio, DoesNotDisturbTheClipAfterIt) {
  const TemporaryFolder folder;
  const TemporaryFolder good;
  const auto clip = good / testing_support::write_odd_audio(good.path()).front().name;
  const auto files = testing_support::write_hostile_audio(folder.path());
  for (const auto& options : {SoundOptions{}, every_step()}) {
    SoundReader fresh(options);
    const auto want = fresh.read(clip).value();  // points into `fresh`
    SoundReader used(options);
    for (const HostileFile& file : files)
      used.read(folder / file.name);
    const auto got = used.read(clip).value();
    EXPECT_TRUE(std::ranges::equal(got.samples, want.samples));
  }
}

TEST(HostileAudio, IsProbedWithoutHarm) {
  const TemporaryFolder folder;
  for (const HostileFile& file : testing_support::write_hostile_audio(folder.path())) {
    const auto info = probe_sound(folder / file.name);
    const std::string code = info ? file.expected_code : info.fault().code;
    EXPECT_EQ(code, file.expected_code) << file.name;
  }
}

TEST(HostileAudio, ThatClaimsMuchTakesLittleMemory) {
  if (!testing_support::allocations_are_counted()) GTEST_SKIP() << "not counted here";
  const TemporaryFolder folder;
  for (const HostileFile& file : testing_support::write_hostile_audio(folder.path())) {
    const size_t before = testing_support::allocations().bytes;
    SoundReader reader{SoundOptions{}};
    reader.read(folder / file.name);
    // At most the window on the file and one block of decoded samples.
    EXPECT_LT(testing_support::allocations().bytes - before, size_t{3} << 19) << file.name;
  }
}

/// Cuts and flips of a small clip, all read to an end.
void mistreat(const TemporaryFolder& folder, const std::string& whole) {
  SoundReader reader{SoundOptions{}};
  for (size_t size = 0; size < whole.size(); size += 1 + size / 16)
    reader.read(folder.write("cut.wav", whole.substr(0, size)));
  for (size_t at = 0; at < std::min<size_t>(whole.size(), 200); ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0xff);
    reader.read(folder.write("flipped.wav", bytes));
  }
}

TEST(HostileAudio, CutOrFlippedAnywhereIsReadToAnEnd) {
  const TemporaryFolder folder;
  using namespace testing_support::wav_bytes_by_hand;
  mistreat(folder, riff(format_chunk({}) + data_chunk(tone(400))));
  mistreat(folder, rf64(800, tone(400)));
  mistreat(folder, flac_header(400));
}

}  // namespace
}  // namespace seda::audio
