// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/sample_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/small_wav.h"
#include "tests/support/temporary_folder.h"

namespace seda::diagnose {
namespace {

using seda::testing_support::TemporaryFolder;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(SpreadPlaces, AreEven) {
  EXPECT_THAT(spread_places(10, 5), ElementsAre(0, 2, 4, 6, 8));
  EXPECT_THAT(spread_places(3, 5), ElementsAre(0, 1, 2));
  EXPECT_THAT(spread_places(0, 5), IsEmpty());
}

std::vector<dataset::Utterance> utterances_in(const TemporaryFolder& folder, int count) {
  std::vector<dataset::Utterance> out;
  for (int i = 0; i < count; ++i) {
    const std::string name = "c" + std::to_string(i) + ".wav";
    folder.write(name, seda::testing_support::small_wav(i));
    dataset::Utterance& utterance = out.emplace_back();
    utterance.text = "Line " + std::to_string(i);
    utterance.audio = folder / name;
    utterance.audio_bytes = 100;
  }
  return out;
}

TEST(TimeAudio, CountsGoodAndBadFiles) {
  const TemporaryFolder folder;
  auto utterances = utterances_in(folder, 6);
  utterances[2].audio = folder / "missing.wav";
  const AudioTimes times = time_audio(utterances, {}, false);
  EXPECT_EQ(times.files, 5u);
  EXPECT_EQ(times.bad, 1u);
  EXPECT_EQ(times.bytes, 500u);
  EXPECT_GT(times.load_s, 0);
}

TEST(TimeAudio, ColdReadsTheSame) {
  const TemporaryFolder folder;
  const auto utterances = utterances_in(folder, 4);
  EXPECT_EQ(time_audio(utterances, {}, true, 2).files, 2u);
}

TEST(TimeText, TimesASampleOfLines) {
  const TemporaryFolder folder;
  const auto utterances = utterances_in(folder, 6);
  feed::TextOptions options;
  options.frontend.phonemes = false;
  options.tokenizer = text::TokenizerKind::characters;
  const TextTimes times = time_text(utterances, options, 3);
  EXPECT_EQ(times.lines, 3u);
  EXPECT_GT(times.per_line_s, 0);
  EXPECT_NEAR(times.total_s, 3 * times.per_line_s, 1e-9);
}

TEST(TimeText, OfNoLinesIsNone) {
  EXPECT_EQ(time_text({}, {}).lines, 0u);
}

}  // namespace
}  // namespace seda::diagnose
