// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/cache_source.h"

#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/audio/mel_cpu.h"
#include "seda/feed/text_record.h"
#include "tests/feed/clips.h"
#include "tests/support/allocations.h"
#include "tests/support/error_message.h"

namespace seda::feed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::allocations;
using testing_support::error_message;

constexpr int kClips = 6;

PrepareOptions options_of(const Clips& corpus, AudioKind kind) {
  PrepareOptions options = corpus.options();
  options.audio.kind = kind;
  return options;
}

CacheSource open_source(const PrepareReport& report, bool mapped = true, bool verify = false) {
  return {report.cache, *report.listing, {.memory_mapping = mapped, .verify = verify}};
}

std::vector<int32_t> tokens_of_line(const Clips& corpus, int clip) {
  const PrepareOptions options = corpus.options();
  const text::Frontend frontend(options.text.frontend,
                                text::make_fixed_tokenizer(options.text.frontend, true));
  return frontend.apply(corpus.read().utterances[static_cast<size_t>(clip)].text, "")
      .encoded.tokens;
}

std::vector<float> mel_of(const audio::MelOptions& options, const std::vector<int16_t>& samples) {
  const audio::MelCpu mel(options);
  audio::MelCpu::Workspace workspace(mel);
  const auto frames = static_cast<size_t>(mel.frames(std::ssize(samples)));
  std::vector<float> out(static_cast<size_t>(options.n_mels) * frames);
  mel.apply(samples, workspace, {out.data(), frames, frames});
  return out;
}

std::vector<int16_t> tone(int clip) {
  return Clips::tone(clip, 2000 + 10 * static_cast<size_t>(clip));
}

/// Both ways to get at the cache.
class CacheSourceTest : public testing::TestWithParam<bool> {};

TEST_P(CacheSourceTest, GivesTokensAndSamplesOfTheCorpus) {
  const Clips corpus(kClips);
  const auto report = prepare(options_of(corpus, AudioKind::pcm16));
  const CacheSource source = open_source(report, GetParam(), true);
  const auto reader = source.make_reader();
  EXPECT_EQ(source.kind(), AudioKind::pcm16);
  ASSERT_EQ(source.rows().size(), size_t{kClips});
  for (int i = kClips - 1; i >= 0; --i) {
    ASSERT_FALSE(reader->fetch(static_cast<uint32_t>(i)));
    const auto content = reader->content();
    ASSERT_TRUE(content.ok());
    EXPECT_TRUE(std::ranges::equal(content.value().tokens, tokens_of_line(corpus, i)));
    EXPECT_TRUE(std::ranges::equal(content.value().samples, tone(i)));
    EXPECT_TRUE(content.value().mel.empty());
    EXPECT_EQ(source.id(static_cast<uint32_t>(i)), Clips::id(i));
  }
}

TEST_P(CacheSourceTest, GivesStoredMelsWithTheirFrames) {
  const Clips corpus(kClips);
  PrepareOptions options = options_of(corpus, AudioKind::mel);
  options.audio.mel.n_mels = 40;
  const CacheSource source = open_source(prepare(options), GetParam());
  const auto reader = source.make_reader();
  EXPECT_EQ(source.kind(), AudioKind::mel);
  EXPECT_EQ(source.mel(), options.audio.mel);
  for (int i = 0; i < kClips; ++i) {
    ASSERT_FALSE(reader->fetch(static_cast<uint32_t>(i)));
    const auto content = reader->content();
    ASSERT_TRUE(content.ok());
    EXPECT_TRUE(std::ranges::equal(content.value().mel, mel_of(options.audio.mel, tone(i))));
    EXPECT_EQ(content.value().mel_frames * 40, std::ssize(content.value().mel));
    EXPECT_TRUE(content.value().samples.empty());
  }
}

TEST_P(CacheSourceTest, AllocatesNothingOnceWarm) {
  if (!testing_support::allocations_are_counted()) GTEST_SKIP() << "allocations are not counted";
  const Clips corpus(kClips);
  const CacheSource source = open_source(prepare(options_of(corpus, AudioKind::pcm16)), GetParam());
  const auto reader = source.make_reader();
  const auto read_all = [&] {
    size_t samples = 0;
    for (uint32_t row = 0; row < kClips; ++row) {
      EXPECT_FALSE(reader->fetch(row).has_value());
      samples += reader->content().value().samples.size();
    }
    return samples;
  };
  const size_t samples = read_all();
  const size_t before = allocations().count;
  EXPECT_EQ(read_all(), samples);
  EXPECT_EQ(allocations().count, before);
}

TEST_P(CacheSourceTest, ADamagedRecordIsAFaultOfItsClipAlone) {
  const Clips corpus(kClips);
  const auto report = prepare(options_of(corpus, AudioKind::pcm16));
  const auto wanted = tone(3);
  const std::string needle(reinterpret_cast<const char*>(wanted.data() + 100), 400);
  size_t flipped = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(report.cache)) {
    if (!file.is_regular_file()) continue;
    const size_t at = testing_support::read_file(file.path()).find(needle);
    if (at == std::string::npos) continue;
    std::fstream part(file.path(), std::ios::binary | std::ios::in | std::ios::out);
    part.seekp(static_cast<std::streamoff>(at));
    part.put('?');
    ++flipped;
  }
  ASSERT_EQ(flipped, 1u);
  const CacheSource source = open_source(report, GetParam(), true);
  const auto reader = source.make_reader();
  for (uint32_t row = 0; row < kClips; ++row) {
    const auto fault = reader->fetch(row);
    ASSERT_EQ(fault.has_value(), row == 3) << row;
    if (!fault) continue;
    EXPECT_EQ(fault->id, Clips::id(3));
    EXPECT_EQ(fault->code, "cache_damaged");
    EXPECT_THAT(fault->evidence, HasSubstr("checksum"));
  }
}

TEST_P(CacheSourceTest, ABadSoundKeepsTheFaultThatPreparingFound) {
  Clips corpus(2);
  corpus.write(Clips::wav_name(1), "no sound");
  const CacheSource source = open_source(prepare(options_of(corpus, AudioKind::mel)), GetParam());
  EXPECT_FALSE(source.rows()[1].is_usable());
  const auto reader = source.make_reader();
  ASSERT_FALSE(reader->fetch(1));
  const auto content = reader->content();
  ASSERT_FALSE(content.ok());
  EXPECT_EQ(content.fault().id, Clips::id(1));
  EXPECT_EQ(content.fault().code, "audio_format");
}

TEST_P(CacheSourceTest, SaysHowItReads) {
  const Clips corpus(1);
  const CacheSource source = open_source(prepare(corpus.options()), GetParam());
  EXPECT_EQ(source.path(), GetParam() ? "cache (mapped)" : "cache (read)");
  EXPECT_FALSE(source.decodes());
}

INSTANTIATE_TEST_SUITE_P(Access, CacheSourceTest, testing::Bool(),
                         [](const auto& access) { return access.param ? "Mapped" : "Read"; });

TEST(CacheSource, NumbersSpeakersAndLanguagesBySortedNames) {
  const Clips corpus(0);
  corpus.write("metadata.csv",
               "wavs/a.wav|سلام دنیا، حال شما چطور است؟|زهرا|fa\n"
               "wavs/b.wav|This is an English sentence.|Bob|en\n"
               "wavs/c.wav|این جملهٔ دوم است.|علی|fa\n");
  for (const char* name : {"wavs/a.wav", "wavs/b.wav", "wavs/c.wav"})
    corpus.write(name, audio::wav_bytes(Clips::tone(1, 3000), 22050));
  PrepareOptions options = corpus.options();
  options.read.format = dataset::Format::table;
  const CacheSource source = open_source(prepare(options));
  EXPECT_THAT(source.speakers(), ElementsAre("Bob", "زهرا", "علی"));
  EXPECT_THAT(source.languages(), ElementsAre("en", "fa"));
  std::vector<int32_t> speakers;
  std::vector<int32_t> languages;
  for (uint32_t row = 0; row < 3; ++row) {
    speakers.push_back(source.speaker(row));
    languages.push_back(source.language(row));
  }
  EXPECT_THAT(speakers, ElementsAre(1, 0, 2));
  EXPECT_THAT(languages, ElementsAre(1, 0, 1));
}

TEST(CacheSource, WithoutAListingSaysToPrepare) {
  const Clips corpus(1);
  const auto report = prepare(corpus.options());
  EXPECT_THAT(error_message([&] { CacheSource(report.cache, hash128("another"), {}); }),
              HasSubstr("run `seda prepare`"));
  EXPECT_THAT(error_message([&] { CacheSource(corpus / "nowhere", *report.listing, {}); }),
              HasSubstr("expected a cache, found none"));
}

TEST(CacheSource, OpensTheListingThatIsNamedNotTheLatest) {
  const Clips corpus(2);
  const auto mels = prepare(options_of(corpus, AudioKind::mel));
  const auto samples = prepare(options_of(corpus, AudioKind::pcm16));
  EXPECT_NE(*mels.listing, *samples.listing);
  EXPECT_EQ(open_source(mels).kind(), AudioKind::mel);
  EXPECT_EQ(open_source(samples).kind(), AudioKind::pcm16);
}

}  // namespace
}  // namespace seda::feed
