// SPDX-License-Identifier: Apache-2.0
#include "seda/speak/synthesizer.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/audio/wav_writer.h"
#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "tests/speak/letters.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace seda::speak {
namespace {

using seda::testing_support::error_message;
using seda::testing_support::TemporaryFolder;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing_support::letters_frontend;

/// A frame for each token, whose only band is the token; keeps what it was asked.
class FakeVoice final : public train::Voice {
 public:
  train::ModelFacts facts() const override { return {}; }

  std::vector<model::SpokenMel> speak(std::span<const model::SpeechRequest> requests,
                                      const model::SpeechOptions& options) override {
    batches.emplace_back(requests.begin(), requests.end());
    asked = options;
    std::vector<model::SpokenMel> out;
    for (const model::SpeechRequest& request : requests) {
      model::SpokenMel spoken{{1, static_cast<int>(request.tokens.size()), {}}, {}};
      for (const int32_t token : request.tokens)
        spoken.mel.values.push_back(static_cast<float>(token) / 100);
      out.push_back(std::move(spoken));
    }
    return out;
  }

  std::vector<std::vector<model::SpeechRequest>> batches;
  model::SpeechOptions asked;
};

/// A sample for each frame.
class FakeVocoder final : public Vocoder {
 public:
  std::string name() const override { return "fake"; }
  std::vector<std::vector<float>> apply(std::span<const model::MelData> mels) override {
    std::vector<std::vector<float>> out;
    for (const model::MelData& mel : mels)
      out.push_back(mel.values);
    return out;
  }
};

class SynthesizerOfLetters : public testing::Test {
 protected:
  SynthesizerOfLetters() {
    description.speakers = {"alice", "bob"};
    description.languages = {"en", "fa"};
    options.join = {.pause_s = 0, .fade_s = 0};
  }

  /// The sound of each text, samples as tokens.
  std::vector<std::vector<int>> speak(const std::vector<std::string>& texts) {
    const Synthesizer synthesizer(description, *frontend, options);
    const auto scripts = synthesizer.read(texts);
    std::vector<std::vector<int>> sounds(texts.size());
    synthesizer.speak(scripts, {voice, vocoder}, [&](const Speech& speech) {
      for (const float sample : speech.samples)
        sounds[speech.text].push_back(static_cast<int>(std::lround(sample * 100)));
      order.emplace_back(speech.text, speech.last);
    });
    return sounds;
  }

  std::vector<int> tokens(const std::string& text) const {
    const auto found = frontend->apply(text, "").encoded.tokens;
    return {found.begin(), found.end()};
  }

  std::unique_ptr<text::Frontend> frontend = letters_frontend();
  train::VoiceDescription description;
  SynthesisOptions options;
  FakeVoice voice;
  FakeVocoder vocoder;
  std::vector<std::pair<size_t, bool>> order;
};

std::vector<int> joined(std::vector<int> a, const std::vector<int>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST_F(SynthesizerOfLetters, SpeaksEachTextInOrderThoughBatchesAreByLength) {
  options.batch_size = 2;
  const auto sounds = speak({"a! bbbbbb!", "ccc!", "dd! e! ffffffff!"});
  EXPECT_EQ(sounds[0], joined(tokens("a!"), tokens("bbbbbb!")));
  EXPECT_EQ(sounds[1], tokens("ccc!"));
  EXPECT_EQ(sounds[2], joined(joined(tokens("dd!"), tokens("e!")), tokens("ffffffff!")));
  EXPECT_THAT(order, ElementsAre(std::pair(0, false), std::pair(0, true), std::pair(1, true),
                                 std::pair(2, false), std::pair(2, false), std::pair(2, true)));
  ASSERT_THAT(voice.batches, SizeIs(3));
  EXPECT_EQ(voice.batches[0][0].tokens.size(), 9u) << "longest first";
  EXPECT_EQ(voice.batches[0][1].tokens.size(), 7u);
}

TEST_F(SynthesizerOfLetters, GivesSentencesOutOneByOneWithABatchOfOne) {
  options.batch_size = 1;
  const Synthesizer synthesizer(description, *frontend, options);
  std::vector<size_t> spoken_when_taken;
  synthesizer.speak(synthesizer.read(std::vector<std::string>{"a! bbb! cc!"}), {voice, vocoder},
                    [&](const Speech&) { spoken_when_taken.push_back(voice.batches.size()); });
  EXPECT_THAT(spoken_when_taken, ElementsAre(1, 2, 3));
}

TEST_F(SynthesizerOfLetters, PausesBetweenSentencesNotBetweenTexts) {
  description.mel.sample_rate = 10;
  options.join.pause_s = 0.2;
  const auto sounds = speak({"a! b!", "c!"});
  EXPECT_EQ(sounds[0], joined(joined(tokens("a!"), {0, 0}), tokens("b!")));
  EXPECT_EQ(sounds[1], tokens("c!"));
}

TEST_F(SynthesizerOfLetters, CountsItsProgress) {
  const Synthesizer synthesizer(description, *frontend, options);
  size_t spoken = 0;
  synthesizer.speak(
      synthesizer.read(std::vector<std::string>{"a! b!", "c!"}), {voice, vocoder},
      [](const Speech&) {}, [&](size_t sentences) { spoken += sentences; });
  EXPECT_EQ(spoken, 3u);
}

TEST_F(SynthesizerOfLetters, TellsVoiceAndVocoderApartInItsTimes) {
  const Synthesizer synthesizer(description, *frontend, options);
  const SteadyClock clock;
  const int64_t begin = clock.now_ns();
  const SpeakingTimes times = synthesizer.speak(synthesizer.read(std::vector<std::string>{"a! b!"}),
                                                {voice, vocoder}, [](const Speech&) {});
  const double all_s = static_cast<double>(clock.now_ns() - begin) * 1e-9;
  EXPECT_GT(times.voice_s, 0);
  EXPECT_GT(times.vocoder_s, 0);
  EXPECT_LE(times.voice_s + times.vocoder_s, all_s);
}

TEST_F(SynthesizerOfLetters, SpeaksAsTheNamedSpeakerInTheNamedLanguage) {
  options.speaker = "bob";
  options.language = "fa";
  options.speech.rate = 2;
  speak({"abc"});
  EXPECT_EQ(voice.batches.at(0).at(0).speaker, 1);
  EXPECT_EQ(voice.batches[0][0].language, 1);
  EXPECT_EQ(voice.asked.rate, 2);
  options.speaker = "bop";
  EXPECT_THAT(error_message([&] { speak({"abc"}); }), HasSubstr("did you mean 'bob'"));
  options.speaker = "";
  options.language = "de";
  EXPECT_THAT(error_message([&] { speak({"abc"}); }), HasSubstr("no language 'de'"));
}

TEST_F(SynthesizerOfLetters, FindsTheLanguageOfASentence) {
  description.languages = {"fa", "en-us"};
  speak({"abc"});
  EXPECT_EQ(voice.batches.at(0).at(0).language, 1) << "en is en-us' without its region";
  description.languages = {"fa", "de"};
  speak({"abc"});
  EXPECT_EQ(voice.batches.at(1).at(0).language, 0) << "none of them: the first";
}

TEST_F(SynthesizerOfLetters, WarnsOfALanguageThatTheVoiceDoesNotSpeak) {
  for (const auto& languages : std::vector<std::vector<std::string>>{{"fa"}, {"fa", "de"}}) {
    description.languages = languages;
    testing::internal::CaptureStderr();
    speak({"abc"});
    EXPECT_THAT(testing::internal::GetCapturedStderr(),
                HasSubstr("'abc' was taken for en, which the voice does not speak; it is spoken as "
                          "fa"));
  }
  description.languages = {""};
  testing::internal::CaptureStderr();
  speak({"abc"});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "nothing is known of the voice";
}

TEST_F(SynthesizerOfLetters, SpeaksLikeAReference) {
  const TemporaryFolder folder;
  audio::write_wav(folder / "a.wav", std::vector<int16_t>(22050, 9000), 22050);
  options.reference = folder / "a.wav";
  speak({"abc"});
  EXPECT_GT(voice.batches.at(0).at(0).reference.frames, 80);
  options.speaker = "bob";
  EXPECT_THAT(error_message([&] { speak({"abc"}); }), HasSubstr("give one of them"));
}

TEST_F(SynthesizerOfLetters, CutsSentencesToWhatTheModelWasTrainedOn) {
  std::string text = "aaaa";
  for (int i = 0; i < 99; ++i)
    text += " bbbb";
  speak({text});
  size_t sentences = 0;
  for (const auto& batch : voice.batches) {
    sentences += batch.size();
    for (const auto& request : batch)
      EXPECT_LE(request.tokens.size(), 200u);
  }
  EXPECT_GE(sentences, 3u);
}

TEST_F(SynthesizerOfLetters, RefusesATextItCannotSpeak) {
  EXPECT_THAT(error_message([&] { speak({"abc", "ÄÖ"}); }), HasSubstr("'ÄÖ'"));
  EXPECT_TRUE(voice.batches.empty());
}

TEST(SynthesisOptions, NamesWhatCannotBe) {
  const auto says = [](auto change) {
    SynthesisOptions options;
    change(options);
    return error_message([&] { check(options); });
  };
  EXPECT_EQ(says([](SynthesisOptions&) {}), "nothing was thrown");
  EXPECT_THAT(says([](auto& o) { o.speech.rate = 5; }),
              AllOf(HasSubstr("--speaking-rate"), HasSubstr("0.25 to 4"), HasSubstr("5")));
  EXPECT_THAT(says([](auto& o) { o.speech.rate = 0.2; }), HasSubstr("--speaking-rate"));
  EXPECT_THAT(says([](auto& o) { o.speech.rate = std::numeric_limits<double>::quiet_NaN(); }),
              HasSubstr("--speaking-rate"));
  EXPECT_THAT(says([](auto& o) { o.speech.temperature = -0.1; }), HasSubstr("--temperature"));
  EXPECT_THAT(says([](auto& o) { o.speech.steps = 0; }), HasSubstr("--steps"));
  EXPECT_THAT(says([](auto& o) { o.speech.steps = 1001; }), HasSubstr("--steps"));
  EXPECT_THAT(says([](auto& o) { o.speech.guidance = -1; }), HasSubstr("--guidance"));
  EXPECT_THAT(says([](auto& o) { o.batch_size = 0; }), HasSubstr("--batch-size"));
  EXPECT_THAT(says([](auto& o) { o.join.pause_s = -1; }), HasSubstr("--pause"));
}

}  // namespace
}  // namespace seda::speak
