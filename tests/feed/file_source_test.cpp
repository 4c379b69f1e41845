// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/file_source.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/audio/sound_reader.h"
#include "seda/feed/cache_source.h"
#include "tests/feed/clips.h"
#include "tests/support/sound_files.h"

namespace seda::feed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

PrepareOptions samples_of(const Clips& corpus) {
  PrepareOptions options = corpus.options();
  options.audio.kind = AudioKind::pcm16;
  return options;
}

std::vector<std::string> codes(const FileSource& source) {
  std::vector<std::string> out;
  for (const Fault& fault : source.faults())
    out.push_back(fault.id + " " + fault.code);
  return out;
}

TEST(FileSource, EqualsTheCacheOfTheSameCorpus) {
  Clips corpus(9);
  corpus.sing(2, 30'000, 48'000);
  corpus.set(3, "سلام دنیا، این یک جملهٔ فارسی است.");
  corpus.write("wavs/شادی.wav", audio::wav_bytes(Clips::tone(4, 4000), 22050));
  corpus.save();
  corpus.write("metadata.csv",
               testing_support::read_file(corpus / "metadata.csv") + "شادی|این جملهٔ دوم است.\n");
  const auto report = prepare(samples_of(corpus));
  const CacheSource cache(report.cache, *report.listing, {});
  const FileSource files(samples_of(corpus));
  EXPECT_EQ(files.kind(), cache.kind());
  EXPECT_EQ(files.mel(), cache.mel());
  EXPECT_EQ(files.speakers(), cache.speakers());
  EXPECT_EQ(files.languages(), cache.languages());
  ASSERT_EQ(files.rows().size(), cache.rows().size());
  const auto from_files = files.make_reader();
  const auto from_cache = cache.make_reader();
  for (uint32_t row = 0; row < files.rows().size(); ++row) {
    const ClipRow& a = files.rows()[row];
    const ClipRow& b = cache.rows()[row];
    EXPECT_EQ(files.id(row), cache.id(row));
    EXPECT_EQ(std::tie(a.samples, a.tokens, a.symbols, a.unknown, a.split, a.file_bytes),
              std::tie(b.samples, b.tokens, b.symbols, b.unknown, b.split, b.file_bytes));
    EXPECT_DOUBLE_EQ(a.duration_s, b.duration_s);
    EXPECT_EQ(files.speaker(row), cache.speaker(row));
    EXPECT_EQ(files.language(row), cache.language(row));
    ASSERT_FALSE(from_files->fetch(row) || from_cache->fetch(row));
    const auto x = from_files->content().value();
    const auto y = from_cache->content().value();
    EXPECT_TRUE(std::ranges::equal(x.tokens, y.tokens)) << files.id(row);
    EXPECT_TRUE(std::ranges::equal(x.samples, y.samples)) << files.id(row);
  }
}

TEST(FileSource, SetsAsideWhatCannotBeProbedOrSpoken) {
  Clips corpus(5);
  corpus.write(Clips::wav_name(1), "no sound");
  corpus.set(2, "☃ ☃");
  corpus.sing(3, 10);
  corpus.save();
  const FileSource source(corpus.options());
  EXPECT_THAT(codes(source),
              ElementsAre(Clips::id(1) + " audio_format", Clips::id(2) + " text_silent",
                          Clips::id(3) + " audio_too_short"));
  std::vector<bool> usable;
  for (const ClipRow& row : source.rows())
    usable.push_back(row.is_usable());
  EXPECT_THAT(usable, ElementsAre(true, false, false, false, true));
}

TEST(FileSource, AFileThatVanishedIsAFaultOfItsClip) {
  const Clips corpus(2);
  const FileSource source(corpus.options());
  std::filesystem::remove(corpus.wav(1));
  const auto reader = source.make_reader();
  const auto fault = reader->fetch(1);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->id, Clips::id(1));
  EXPECT_EQ(fault->code, "audio_missing");
  EXPECT_THAT(fault->evidence, HasSubstr("clip1001.wav"));
  EXPECT_FALSE(reader->fetch(0));
  EXPECT_TRUE(reader->content().ok());
}

TEST(FileSource, AFileCutSinceOpeningIsAFaultOfItsContent) {
  const Clips corpus(1);
  const FileSource source(corpus.options());
  std::filesystem::resize_file(corpus.wav(0), 1000);
  const auto reader = source.make_reader();
  ASSERT_FALSE(reader->fetch(0));
  const auto content = reader->content();
  ASSERT_FALSE(content.ok());
  EXPECT_EQ(content.fault().id, Clips::id(0));
  EXPECT_EQ(content.fault().code, "audio_truncated");
}

TEST(FileSource, DecodesOnceWhereTheHeaderDoesNotTellTheLength) {
  Clips corpus(1);
  std::filesystem::remove(corpus.wav(0));
  const auto mp3 = corpus / "wavs/clip1000.mp3";
  testing_support::write_sound(mp3, {SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, 22050, 1},
                               testing_support::sine_frames(440, 0.5, 1, 22050));
  const PrepareOptions options = corpus.options();
  const FileSource source(options);
  audio::SoundReader reader(options.audio.sound);
  EXPECT_EQ(source.rows()[0].samples, reader.read(mp3).value().samples.size());
}

}  // namespace
}  // namespace seda::feed
