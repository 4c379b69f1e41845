// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/wav_writer.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace seda::audio {
namespace {

using testing::HasSubstr;
using testing_support::error_message;
using testing_support::TemporaryFolder;

TEST(WavWriter, BytesAreThoseOfTheFormat) {
  const std::vector<int16_t> samples = {1, -2, 0x1234};
  using namespace std::string_literals;
  EXPECT_EQ(wav_bytes(samples, 22050),
            "RIFF\x2a\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x22\x56\0\0\x44\xac\0\0\x02\0\x10\0"
            "data\x06\0\0\0\x01\0\xfe\xff\x34\x12"s);
}

TEST(WavWriter, NoSamplesAreAHeaderAlone) {
  EXPECT_EQ(wav_bytes({}, 16000).size(), 44u);
  EXPECT_EQ(wav_bytes({}, 16000), wav_header(0, 16000));
}

TEST(WavWriter, AnOpenHeaderDiffersInItsSizesAlone) {
  std::string expected = wav_header(0, 16000);
  expected.replace(4, 4, "\xff\xff\xff\xff");
  expected.replace(40, 4, "\xff\xff\xff\xff");
  EXPECT_EQ(open_wav_header(16000), expected);
  EXPECT_THAT(error_message([] { open_wav_header(0); }), HasSubstr("rate above 0"));
}

TEST(WavWriter, FileIsWholeAndAlone) {
  const TemporaryFolder folder;
  const std::vector<int16_t> samples(1000, 7);
  write_wav(folder / "a.wav", samples, 16000);
  write_wav(folder / "a.wav", samples, 16000);
  EXPECT_EQ(testing_support::read_file(folder / "a.wav"), wav_bytes(samples, 16000));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(WavWriter, WhatCannotBeWrittenIsAnError) {
  const TemporaryFolder folder;
  const std::vector<int16_t> samples(10);
  EXPECT_THAT(error_message([&] { write_wav(folder / "no/a.wav", samples, 16000); }),
              HasSubstr("no/a.wav"));
  EXPECT_THAT(error_message([&] { wav_bytes(samples, 0); }), HasSubstr("rate above 0"));
  EXPECT_THAT(error_message([&] { wav_header(size_t{1} << 33, 16000); }), HasSubstr("at most"));
  std::filesystem::create_directory(folder / "taken.wav");
  EXPECT_THAT(error_message([&] { write_wav(folder / "taken.wav", samples, 16000); }),
              HasSubstr("cannot create"));
  EXPECT_FALSE(std::filesystem::exists(folder / "taken.wav.part"));
}

}  // namespace
}  // namespace seda::audio
