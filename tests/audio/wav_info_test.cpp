// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/wav_info.h"

#include <cstring>

#include <gtest/gtest.h>

#include "seda/audio/wav_writer.h"
#include "seda/base/random.h"
#include "tests/support/temporary_folder.h"

namespace seda::audio {
namespace {

std::optional<WavInfo> parse(const std::string& bytes, uint64_t file_bytes) {
  return parse_wav_info(std::as_bytes(std::span(bytes)), file_bytes);
}

TEST(WavInfo, OfOurOwnFilesIsWhatWasWritten) {
  const testing_support::TemporaryFolder folder;
  write_wav(folder / "a.wav", std::vector<int16_t>(22050), 22050);
  const auto info = read_wav_info(folder / "a.wav");
  ASSERT_TRUE(info);
  EXPECT_EQ(info->sample_rate, 22050u);
  EXPECT_EQ(info->channels, 1);
  EXPECT_EQ(info->bits, 16);
  EXPECT_EQ(info->data_offset, 44u);
  EXPECT_EQ(info->seconds(), 1.0);
}

TEST(WavInfo, SkipsOtherChunksAndReadsExtensible) {
  std::string bytes = "RIFF????WAVE";
  const auto chunk = [&](const char* name, const std::string& content) {
    const auto size = static_cast<uint32_t>(content.size());
    bytes += name;
    bytes.append(reinterpret_cast<const char*>(&size), 4);
    bytes += content + std::string(size % 2, '\0');
  };
  chunk("LIST", "odd");
  std::string format(40, '\0');
  const uint16_t words[] = {0xfffe, 2, 48000 & 0xffff, 0, 0, 0, 8, 32};
  std::memcpy(format.data(), words, sizeof words);
  format.replace(24, 16, std::string_view("\x03\0\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71", 16));
  chunk("fmt ", format);
  chunk("data", std::string(80, 'x'));
  const auto info = parse(bytes, bytes.size());
  ASSERT_TRUE(info);
  EXPECT_EQ(info->format, 3);
  EXPECT_EQ(info->channels, 2);
  EXPECT_EQ(info->sample_rate, 48000u);
  EXPECT_EQ(info->frames, 10u);
}

TEST(WavInfo, AClaimOfMoreThanThereIsCountsForNothing) {
  const std::string header = wav_header(0xf0000000, 16000);
  const auto info = parse(header, header.size() + 320);
  ASSERT_TRUE(info);
  EXPECT_EQ(info->frames, 160u);
}

TEST(WavInfo, AnExtensionThatIsNotTheStandardsIsNotBelieved) {
  std::string bytes = "RIFF????WAVEfmt ";
  const uint16_t words[] = {40, 0, 0xfffe, 1, 22050, 0, 0, 0, 2, 16};
  bytes.append(reinterpret_cast<const char*>(words), sizeof words);
  bytes += std::string(8, '\0') + "\x01 any name at all";
  bytes.resize(12 + 8 + 40);
  bytes += "data";
  bytes += std::string(4, '\0');
  const auto info = parse(bytes, bytes.size());
  ASSERT_TRUE(info);
  EXPECT_EQ(info->format, 0xfffe);
}

TEST(WavInfo, OfAStreamCountsWhatIsThere) {
  for (const uint32_t claim : {0xffffffffu, 0x7fffffffu, 0x80000000u, 0x7ffff000u, 0u}) {
    std::string header = wav_header(0, 16000);
    std::memcpy(header.data() + 40, &claim, 4);
    const auto info = parse(header, header.size() + 320);
    ASSERT_TRUE(info);
    EXPECT_TRUE(info->open_ended) << claim;
    EXPECT_EQ(info->frames, 160u) << claim;
  }
}

TEST(WavInfo, SaysWhatIsMissing) {
  const std::string whole = wav_bytes(std::vector<int16_t>(4), 16000);
  const auto problem_of = [](std::string bytes) {
    std::string problem;
    EXPECT_FALSE(parse_wav_info(std::as_bytes(std::span(bytes)), bytes.size(), &problem));
    return problem;
  };
  EXPECT_EQ(problem_of("sound"), "expected RIFF and WAVE, found other words");
  EXPECT_EQ(problem_of(whole.substr(0, 36)), "expected a data chunk, found none");
  std::string silent = whole;
  silent[22] = 0;
  EXPECT_EQ(problem_of(silent), "expected channels and a rate above 0, found 0 at 16000 Hz");
}

TEST(WavInfo, SamplesThatDoNotFillTheirBytesAreNotRead) {
  const std::string whole = wav_bytes(std::vector<int16_t>(12), 16000);
  const auto with = [&](uint32_t rate_bytes, uint16_t frame_bytes, uint16_t bits) {
    std::string bytes = whole;
    std::memcpy(bytes.data() + 28, &rate_bytes, sizeof rate_bytes);
    std::memcpy(bytes.data() + 32, &frame_bytes, sizeof frame_bytes);
    std::memcpy(bytes.data() + 34, &bits, sizeof bits);
    return bytes;
  };
  std::string problem;
  const std::string padded = with(4 * 16000, 4, 24);
  EXPECT_FALSE(parse_wav_info(std::as_bytes(std::span(padded)), padded.size(), &problem));
  EXPECT_EQ(problem, "expected samples that fill their bytes, found 24 bits in 4 bytes each");
  const std::string packed = with(3 * 16000, 3, 24);
  EXPECT_EQ(parse(packed, packed.size())->frames, 8u);
  // One wrong size alone: what the bits say holds.
  const std::string careless = with(3 * 16000, 4, 24);
  EXPECT_EQ(parse(careless, careless.size())->frames, 8u);
}

TEST(WavInfo, CutOrDamagedAnywhereIsNoneOrHarmless) {
  const std::string whole = wav_bytes(std::vector<int16_t>(4), 16000);
  for (size_t size = 0; size < 44; ++size)
    EXPECT_FALSE(parse(whole.substr(0, size), size)) << size;
  Random random(5);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = whole;
    bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    if (const auto info = parse(bytes, bytes.size())) {
      EXPECT_LE(info->frames, bytes.size());
      EXPECT_GT(info->sample_rate, 0u);
    }
  }
}

TEST(WavInfo, OfAnythingElseIsNone) {
  const testing_support::TemporaryFolder folder;
  EXPECT_FALSE(read_wav_info(folder / "missing.wav"));
  EXPECT_FALSE(read_wav_info(folder.path()));
  EXPECT_FALSE(read_wav_info(folder.write("a.wav", "")));
  EXPECT_FALSE(read_wav_info(folder.write("b.wav", "sound")));
}

}  // namespace
}  // namespace seda::audio
