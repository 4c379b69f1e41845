// SPDX-License-Identifier: Apache-2.0
#include "seda/train/event_file.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/train/detail/crc32c.h"
#include "tests/support/size_limit.h"
#include "tests/support/temporary_folder.h"
#include "tests/train/event_file_reader.h"

namespace seda::train {
namespace {

using seda::testing_support::read_file;
using seda::testing_support::SizeLimit;
using seda::testing_support::TemporaryFolder;
using testing::MatchesRegex;
using testing::SizeIs;
using testing_support::Message;
using testing_support::naive_crc32c;
using testing_support::read_records;

constexpr double kNow = 1750000000.25;

TEST(Crc32c, IsThatOfKnownVectors) {
  EXPECT_EQ(detail::crc32c(""), 0u);
  EXPECT_EQ(detail::crc32c("123456789"), 0xe3069283u);
  // RFC 3720, B.4
  EXPECT_EQ(detail::crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(detail::crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  std::string rising;
  for (int i = 0; i < 32; ++i)
    rising += static_cast<char>(i);
  EXPECT_EQ(detail::crc32c(rising), 0x46dd794eu);
}

TEST(Crc32c, MaskIsUndoneByItsInverse) {
  const uint32_t turned = detail::masked_crc32c("123456789") - 0xa282ead8u;
  EXPECT_EQ(turned >> 17 | turned << 15, 0xe3069283u);
}

class Events : public testing::Test {
 protected:
  static EventFileOptions options() {
    return {.now_s = [] { return kNow; }, .buffer_bytes = size_t{1} << 20};
  }

  Message event(size_t number) const { return Message(read_records(content()).at(number)); }

  /// The one value of the one event after the version.
  Message value() const { return event(1).message(5).message(1); }

  std::string content() const { return read_file(file.path()); }

  TemporaryFolder folder;
  EventFile file{folder / "runs/first", options()};
};

TEST_F(Events, FileIsNamedBySecondsHostProcessAndNumber) {
  EXPECT_EQ(file.path().parent_path(), folder / "runs/first");
  EXPECT_THAT(file.path().filename().string(),
              MatchesRegex("events\\.out\\.tfevents\\.1750000000\\..*\\." +
                           std::to_string(getpid()) + "\\.0"));
}

TEST_F(Events, SecondFileOfTheSameSecondHasANameOfItsOwn) {
  const EventFile second(folder / "runs/first", options());
  EXPECT_NE(second.path(), file.path());
  EXPECT_THAT(second.path().filename().string(), MatchesRegex(".*\\.1"));
}

TEST_F(Events, FileBeginsWithItsVersion) {
  ASSERT_THAT(read_records(content()), SizeIs(1));
  EXPECT_EQ(event(0).real(1), kNow);
  EXPECT_EQ(event(0).bytes(3), "brain.Event:2");
}

TEST_F(Events, BytesOfAScalarAreThose) {
  const size_t before = content().size();
  file.scalar("loss", 0.5, 300);
  file.flush();
  const std::string record =
      std::string("\x1b\x00\x00\x00\x00\x00\x00\x00", 8) +      // length: 27
      "\x1a\x0d\x9e\x13" +                                      // its checksum
      std::string("\x09\x00\x00\x10\x60\xb8\x13\xda\x41", 9) +  // 1: double 1750000000.25
      "\x10\xac\x02"                                            // 2: varint 300
      "\x2a\x0d"                                                // 5: summary of 13 bytes
      "\x0a\x0b"                                                // 1: value of 11 bytes
      "\x0a\x04loss" +                                          // 1: tag
      std::string("\x15\x00\x00\x00\x3f", 5) +                  // 2: float 0.5
      "\x9b\x0a\x34\x1f";                                       // checksum of the 27
  EXPECT_EQ(content().substr(before), record);
}

TEST_F(Events, ScalarsThatAreNotFiniteStaySo) {
  file.scalar("a", std::nan(""), 1);
  file.scalar("b", std::numeric_limits<double>::infinity(), 1);
  file.flush();
  EXPECT_TRUE(std::isnan(event(1).message(5).message(1).single(2)));
  EXPECT_TRUE(std::isinf(event(2).message(5).message(1).single(2)));
}

TEST_F(Events, StepsHaveSixtyFourBits) {
  file.scalar("a", 1, std::numeric_limits<int64_t>::max());
  file.scalar("a", 1, -1);
  file.flush();
  EXPECT_EQ(event(1).varint(2), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(event(2).varint(2), -1);
}

TEST_F(Events, ImageCarriesItsPngAndSize) {
  const std::string png("\x89PNG\0\n", 6);
  file.image("mel/target", {.png = png, .width = 300, .height = 80}, 7);
  file.flush();
  EXPECT_EQ(value().bytes(1), "mel/target");
  const Message image = value().message(4);
  EXPECT_EQ(image.varint(1), 80);
  EXPECT_EQ(image.varint(2), 300);
  EXPECT_EQ(image.varint(3), 3);
  EXPECT_EQ(image.bytes(4), png);
}

TEST_F(Events, AudioCarriesItsWavAndRate) {
  const std::string wav(100'000, 'w');
  file.audio("speech", {.wav = wav, .sample_rate = 22050, .frames = 49978, .channels = 1}, 7);
  file.flush();
  const Message audio = value().message(6);
  EXPECT_EQ(audio.single(1), 22050.0F);
  EXPECT_EQ(audio.varint(2), 1);
  EXPECT_EQ(audio.varint(3), 49978);
  EXPECT_EQ(audio.bytes(4), wav);
  EXPECT_EQ(audio.bytes(5), "audio/wav");
}

TEST_F(Events, TextIsAListOfOneStringForItsPlugin) {
  file.text("settings", "سلام *x*", 0);
  file.flush();
  const Message tensor = value().message(8);
  EXPECT_EQ(tensor.varint(1), 7);
  EXPECT_EQ(tensor.message(2).message(2).varint(1), 1);
  EXPECT_EQ(tensor.bytes(8), "سلام *x*");
  EXPECT_EQ(value().message(9).message(1).bytes(1), "text");
}

TEST_F(Events, BytesThatAreNotUtf8AreReplaced) {
  file.text("tag\xff", "a\xc3", 0);
  file.flush();
  EXPECT_EQ(value().bytes(1), "tag\xef\xbf\xbd");
  EXPECT_EQ(value().message(8).bytes(8), "a\xef\xbf\xbd");
}

TEST_F(Events, RestartIsASessionThatStarts) {
  file.restart(1200);
  file.flush();
  EXPECT_EQ(event(1).varint(2), 1200);
  EXPECT_EQ(event(1).message(7).varint(1), 1);
}

TEST_F(Events, AreGatheredUntilFlushed) {
  const size_t before = content().size();
  file.scalar("a", 1, 1);
  EXPECT_EQ(content().size(), before);
  file.flush();
  EXPECT_GT(content().size(), before);
  const std::string flushed = content();
  file.flush();
  EXPECT_EQ(content(), flushed);
}

TEST_F(Events, FullBufferIsWrittenInWholeRecords) {
  EventFile small(folder / "small", {.now_s = [] { return kNow; }, .buffer_bytes = 100});
  for (int step = 0; step < 50; ++step) {
    small.scalar("a", step, step);
    EXPECT_NO_THROW(read_records(read_file(small.path()))) << step;
  }
  EXPECT_GT(read_records(read_file(small.path())).size(), 40u);
}

TEST_F(Events, GoingAwayFlushes) {
  std::filesystem::path path;
  {
    EventFile short_lived(folder / "short", options());
    short_lived.scalar("a", 1, 1);
    path = short_lived.path();
  }
  EXPECT_THAT(read_records(read_file(path)), SizeIs(2));
}

TEST_F(Events, FullDiskIsAnErrorAndLeavesWholeRecords) {
  const std::string before = content();
  file.scalar("a", 1, 1);
  {
    const SizeLimit full(before.size() + 10);
    try {
      file.flush();
      ADD_FAILURE() << "written";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io);
      EXPECT_THAT(error.what(), testing::HasSubstr(file.path().string()));
    }
  }
  EXPECT_EQ(content(), before);
}

TEST_F(Events, WhatAFullDiskRefusedIsWrittenLater) {
  file.scalar("a", 1, 1);
  {
    const SizeLimit full(content().size() + 10);
    EXPECT_THROW(file.flush(), Error);
  }
  file.scalar("a", 2, 2);
  file.flush();
  ASSERT_THAT(read_records(content()), SizeIs(3));
  EXPECT_EQ(event(2).varint(2), 2);
}

TEST(EventFile, FolderThatIsAFileIsAnError) {
  const TemporaryFolder folder;
  folder.write("taken", "");
  EXPECT_THROW(EventFile(folder / "taken"), Error);
}

TEST(EventFile, WallTimeIsTheCalendars) {
  EXPECT_GT(wall_seconds(), 1.7e9);
}

}  // namespace
}  // namespace seda::train
