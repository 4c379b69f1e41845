// SPDX-License-Identifier: Apache-2.0
// When preparing reads sounds again, when it keeps them, and what it says of bad ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/cache/collect.h"
#include "seda/feed/listing.h"
#include "seda/feed/prepare.h"
#include "tests/feed/clips.h"

namespace seda::feed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

PrepareOptions by_content(PrepareOptions options) {
  options.audio.identity = FileIdentity::content;
  return options;
}

void touch(const std::filesystem::path& file) {
  const auto time = std::filesystem::last_write_time(file);
  std::filesystem::last_write_time(file, time + std::chrono::seconds(5));
}

/// Puts other bytes in a file and gives it back its time.
void replace_unseen(const std::filesystem::path& file, const std::string& bytes) {
  const auto time = std::filesystem::last_write_time(file);
  std::ofstream(file, std::ios::binary) << bytes;
  std::filesystem::last_write_time(file, time);
}

/// A file that nobody may read, root neither.
const char* const kWriteOnly = "/sys/bus/platform/drivers_probe";

class PrepareAudio : public testing::TestWithParam<AudioKind> {
 protected:
  PrepareOptions options() const {
    PrepareOptions out = corpus_.options();
    out.audio.kind = GetParam();
    return out;
  }

  Clips corpus_{10};
};

INSTANTIATE_TEST_SUITE_P(Kinds, PrepareAudio, testing::Values(AudioKind::mel, AudioKind::pcm16),
                         [](const auto& kind) { return std::string(to_string(kind.param)); });

TEST_P(PrepareAudio, BuildsThenKeepsEverything) {
  const auto first = prepare(options());
  EXPECT_EQ(first.audio_built, 10u);
  EXPECT_EQ(first.audio_hits, 0u);
  EXPECT_EQ(first.reasons, (Reasons{{"no cache", 10}}));
  EXPECT_GT(first.audio_seconds, 0);
  EXPECT_DOUBLE_EQ(first.sounds.sound_s, (10 * 2000 + 450) / 22050.0);
  EXPECT_DOUBLE_EQ(first.hours, first.sounds.sound_s / 3600);
  const auto second = prepare(options());
  EXPECT_EQ(second.audio_hits, 10u);
  EXPECT_EQ(second.audio_built, 0u);
  EXPECT_EQ(second.audio_seconds, 0);
  EXPECT_THAT(second.reasons, IsEmpty());
  EXPECT_DOUBLE_EQ(second.hours, first.hours);
}

TEST_P(PrepareAudio, AChangedFileIsReadAgainAlone) {
  prepare(options());
  corpus_.sing(4, 5000);
  const auto report = prepare(options());
  EXPECT_EQ(report.audio_built, 1u);
  EXPECT_EQ(report.text_built, 0u);
  EXPECT_EQ(report.reasons, (Reasons{{"audio: file changed", 1}}));
}

TEST_P(PrepareAudio, ANewFileIsNamed) {
  prepare(options());
  corpus_.set(30, "One more line.");
  corpus_.sing(30, 5000);
  corpus_.save();
  const auto report = prepare(options());
  EXPECT_EQ(report.reasons, (Reasons{{"audio: new file", 1}, {"text: new line", 1}}));
  EXPECT_EQ(report.clips_built, 1u) << "a clip with two new records";
}

TEST_P(PrepareAudio, AFileThatCannotBeOpenedIsTriedAgainAndBuildsNothing) {
  if (!std::filesystem::exists(kWriteOnly)) GTEST_SKIP() << "there is no " << kWriteOnly;
  std::filesystem::remove(corpus_.wav(3));
  std::filesystem::create_symlink(kWriteOnly, corpus_.wav(3));
  EXPECT_EQ(prepare(options()).clips_built, 10u);
  const auto second = prepare(options());
  EXPECT_EQ(second.reasons, (Reasons{{"audio: could not be read before", 1}}));
  EXPECT_EQ(second.audio_built, 1u);
  EXPECT_EQ(second.clips_built, 0u);
  corpus_.set(3, "Another line for the same file.");
  corpus_.save();
  EXPECT_EQ(prepare(options()).clips_built, 1u) << "the line";
}

TEST_P(PrepareAudio, ATouchedFileIsAnotherByStatAndTheSameByContent) {
  prepare(options());
  touch(corpus_.wav(2));
  EXPECT_EQ(prepare(options()).reasons, (Reasons{{"audio: file changed", 1}}));
  prepare(by_content(options()));
  touch(corpus_.wav(2));
  EXPECT_EQ(prepare(by_content(options())).audio_hits, 10u);
  EXPECT_THAT(prepare(by_content(options())).reasons, IsEmpty());
}

TEST_P(PrepareAudio, ByContentAChangedFileIsReadAgain) {
  prepare(by_content(options()));
  corpus_.sing(2, 2020 + 1);
  const auto report = prepare(by_content(options()));
  EXPECT_EQ(report.reasons, (Reasons{{"audio: file changed", 1}}));
}

TEST_P(PrepareAudio, ByContentARenamedClipIsKept) {
  prepare(by_content(options()));
  std::filesystem::rename(corpus_.wav(9), corpus_.wav(50));
  corpus_.remove(9);
  corpus_.set(50, "This is line number 9 of a small corpus.");
  corpus_.save();
  const auto report = prepare(by_content(options()));
  EXPECT_EQ(report.audio_built, 0u);
  EXPECT_EQ(report.text_built, 0u);
}

TEST_P(PrepareAudio, ByContentFilesThatLookTheSameAreNotReadAgain) {
  prepare(by_content(options()));
  const std::string other = audio::wav_bytes(Clips::tone(77, 2020), Clips::kRate);
  replace_unseen(corpus_.wav(2), other);
  EXPECT_EQ(prepare(by_content(options())).audio_built, 0u) << "same path, size and time";
  PrepareOptions forced = by_content(options());
  forced.force = true;
  prepare(forced);
  touch(corpus_.wav(2));
  EXPECT_EQ(prepare(by_content(options())).audio_built, 0u) << "force has hashed it again";
}

TEST_P(PrepareAudio, AnotherIdentityIsNamed) {
  prepare(options());
  EXPECT_EQ(prepare(by_content(options())).reasons, (Reasons{{"audio: key stat -> content", 10}}));
}

TEST_P(PrepareAudio, AChangeOfTheSoundIsNamedAndLeavesTheTexts) {
  prepare(options());
  PrepareOptions other = options();
  other.audio.sound.peak_dbfs = -3;
  const auto report = prepare(other);
  EXPECT_EQ(report.text_hits, 10u);
  EXPECT_EQ(report.audio_built, 10u);
  EXPECT_EQ(report.reasons, (Reasons{{"audio: peak off -> dbfs -3.0", 10}}));
  other.audio.sound.peak_dbfs.reset();
  other.audio.sound.trim_below_db = 40;
  EXPECT_THAT(prepare(other).reasons.begin()->first,
              AllOf(StartsWith("audio: trim off -> "), HasSubstr("below_db 40")));
}

TEST_P(PrepareAudio, AChangeOfTheTextLeavesTheSounds) {
  prepare(options());
  PrepareOptions other = options();
  other.text.add_blank = false;
  const auto report = prepare(other);
  EXPECT_EQ(report.text_built, 10u);
  EXPECT_EQ(report.audio_hits, 10u);
}

TEST_P(PrepareAudio, TwoConfigurationsKeepBothTheirSounds) {
  PrepareOptions other = options();
  other.audio.sound.peak_dbfs = -3;
  prepare(options());
  EXPECT_EQ(prepare(other).audio_built, 10u);
  EXPECT_EQ(prepare(options()).audio_built, 0u);
  EXPECT_EQ(prepare(other).audio_built, 0u);
}

TEST_P(PrepareAudio, ALostRecordIsMadeAgain) {
  prepare(options());
  {
    const auto cache = cache::Cache::open(corpus_ / ".seda");
    const cache::Key lost = Listing::latest(*cache)->rows()[6].audio_key;
    cache::Writer writer(corpus_ / ".seda");
    cache::collect(writer, {.table = nullptr,
                            .record = [&](const std::string&, const Hash128&,
                                          const cache::Key& key) { return key != lost; }});
  }
  const auto report = prepare(options());
  EXPECT_EQ(report.audio_built, 1u);
  EXPECT_EQ(report.reasons, (Reasons{{"audio: record lost", 1}}));
}

TEST_P(PrepareAudio, ForceReadsEveryFile) {
  prepare(options());
  PrepareOptions forced = options();
  forced.force = true;
  EXPECT_EQ(prepare(forced).reasons, (Reasons{{"audio: forced", 10}, {"text: forced", 10}}));
}

TEST_P(PrepareAudio, ADryRunPlansAndWritesNothing) {
  const auto report = plan_prepare(options());
  EXPECT_EQ(report.audio_built, 10u);
  EXPECT_EQ(report.clips, 10u);
  EXPECT_GT(report.hours, 0);
  EXPECT_FALSE(std::filesystem::exists(corpus_ / ".seda"));
}

TEST_P(PrepareAudio, TheSameTwiceLeavesTheSameManifest) {
  corpus_.write(Clips::wav_name(3), "no sound");
  prepare(options());
  const std::string manifest = testing_support::read_file(corpus_ / ".seda/MANIFEST.json");
  prepare(options());
  EXPECT_EQ(testing_support::read_file(corpus_ / ".seda/MANIFEST.json"), manifest);
}

TEST_P(PrepareAudio, ABadClipIsSetAsideAndNeverUsable) {
  corpus_.write(Clips::wav_name(3), "no sound");
  const auto report = prepare(options());
  EXPECT_EQ(report.clips, 9u);
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].id, "clip1003");
  EXPECT_EQ(report.faults[0].code, "audio_format");
  EXPECT_THAT(report.faults[0].evidence, StartsWith("metadata.csv:4: wavs/clip1003.wav: "));
  const auto cache = cache::Cache::open(corpus_ / ".seda");
  const auto listing = Listing::latest(*cache);
  EXPECT_EQ(listing->info().usable, 9u);
  for (size_t i = 0; i < 10; ++i)
    EXPECT_EQ(listing->rows()[i].is_usable(), i != 3) << i;
}

TEST_P(PrepareAudio, ABadClipIsRememberedWhileItsFileStays) {
  corpus_.write(Clips::wav_name(3), std::string(44 + 4000, 'x'));
  const auto first = prepare(options());
  replace_unseen(corpus_.wav(3), audio::wav_bytes(Clips::tone(3, 2000), Clips::kRate));
  const auto second = prepare(options());
  EXPECT_EQ(second.audio_built, 0u) << "it was not opened again";
  EXPECT_EQ(second.faults, first.faults);
  EXPECT_EQ(plan_prepare(options()).faults, first.faults);
  touch(corpus_.wav(3));
  const auto third = prepare(options());
  EXPECT_EQ(third.reasons, (Reasons{{"audio: file changed", 1}}));
  EXPECT_THAT(third.faults, IsEmpty());
  EXPECT_EQ(third.clips, 10u);
}

TEST_P(PrepareAudio, BadClipsOfOneContentAreNamedEachByItsOwnFile) {
  corpus_.write(Clips::wav_name(3), "no sound");
  corpus_.write(Clips::wav_name(5), "no sound");
  for (int run = 0; run < 2; ++run) {
    const auto report = prepare(by_content(options()));
    ASSERT_EQ(report.faults.size(), 2u);
    EXPECT_THAT(report.faults[0].evidence, HasSubstr("wavs/clip1003.wav"));
    EXPECT_THAT(report.faults[1].evidence, HasSubstr("wavs/clip1005.wav"));
  }
}

TEST_P(PrepareAudio, ASoundWithoutAFrameIsAFault) {
  corpus_.sing(3, 100);
  for (int run = 0; run < 2; ++run) {
    const auto report = prepare(options());
    ASSERT_EQ(report.faults.size(), 1u);
    EXPECT_EQ(report.faults[0].code, "audio_too_short");
    EXPECT_THAT(report.faults[0].evidence, HasSubstr("found 100 samples"));
    EXPECT_EQ(report.clips, 9u);
  }
}

TEST(PrepareAudioKinds, AnotherMelReadsMelsAgainAndSamplesNot) {
  const Clips corpus(6);
  PrepareOptions mels = corpus.options();
  PrepareOptions samples = corpus.options();
  samples.audio.kind = AudioKind::pcm16;
  prepare(mels);
  prepare(samples);
  for (PrepareOptions* options : {&mels, &samples})
    options->audio.mel.n_fft = 2048;
  EXPECT_EQ(prepare(samples).audio_built, 0u);
  EXPECT_EQ(prepare(mels).audio_built, 6u);
}

TEST(PrepareAudioKinds, TheChangeIsNamed) {
  const Clips corpus(6);
  PrepareOptions options = corpus.options();
  prepare(options);
  options.audio.mel.n_fft = 2048;
  EXPECT_EQ(prepare(options).reasons, (Reasons{{"audio: mel n_fft 1024 -> 2048", 6}}));
  options.audio.kind = AudioKind::pcm16;
  EXPECT_EQ(prepare(options).reasons, (Reasons{{"audio: kind mel -> pcm16", 6}}));
  options.audio.sound.sample_rate = options.audio.mel.sample_rate = 16000;
  EXPECT_EQ(prepare(options).reasons, (Reasons{{"audio: sample_rate 22050 -> 16000", 6}}));
}

TEST(PrepareAudioKinds, SamplesTooShortForOneMelAreUsedByAnother) {
  Clips corpus(4);
  corpus.sing(2, 300);
  PrepareOptions options = corpus.options();
  options.audio.kind = AudioKind::pcm16;
  options.audio.mel.n_fft = options.audio.mel.win_length = 2048;
  options.audio.mel.hop_length = 1024;
  EXPECT_EQ(prepare(options).clips, 3u);
  options.audio.mel = {};
  const auto report = prepare(options);
  EXPECT_EQ(report.clips, 4u);
  EXPECT_EQ(report.audio_built, 0u);
}

}  // namespace
}  // namespace seda::feed
