// SPDX-License-Identifier: Apache-2.0
#include "seda/corpus/voice.h"

#include <optional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/leaks_allowed.h"
#include "seda/corpus/detail/voices.h"
#include "seda/corpus/sentences.h"
#include "seda/text/espeak_location.h"
#include "tests/support/error_message.h"

namespace seda::corpus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::error_message;

bool espeak_is_here() {
  try {
    text::find_espeak();
    return true;
  } catch (const Error&) {
    return false;
  }
}

using Sounds = std::vector<std::vector<int16_t>>;

/// Everything said once, in turn by `threads` threads.
Sounds say_all(const Voice& voice, const std::vector<std::string>& texts, size_t threads) {
  Sounds sounds(texts.size());
  std::vector<std::jthread> workers;
  for (size_t worker = 0; worker < threads; ++worker) {
    workers.emplace_back([&, worker] {
      std::optional<LeaksAllowed> espeak;
      if (voice.name().starts_with("fa")) espeak.emplace();
      for (size_t i = worker; i < texts.size(); i += threads)
        sounds[i] = voice.speak(texts[i], i).value().samples;
    });
  }
  workers.clear();
  return sounds;
}

void expect_same_for_any_threads(const Voice& voice, const std::vector<std::string>& texts) {
  const Sounds one = say_all(voice, texts, 1);
  EXPECT_EQ(one, say_all(voice, texts, 2)) << voice.name();
  EXPECT_EQ(one, say_all(voice, texts, 8)) << voice.name();
}

TEST(Voice, FliteSaysTheSameInAnyNumberOfThreads) {
  const auto texts = compose_sentences("en", 8, 0);
  for (const auto& voice : make_voices("en", flite_voice_names()))
    expect_same_for_any_threads(*voice, texts);
}

TEST(Voice, EspeakSaysTheSameInAnyNumberOfThreads) {
  if (!espeak_is_here()) GTEST_SKIP() << "espeak-ng is not installed";
  const LeaksAllowed espeak;
  const auto texts = compose_sentences("fa", 8, 0);
  for (const auto& voice : make_voices("fa", {"fa", "fa+f2", "fa+whisper"}))
    expect_same_for_any_threads(*voice, texts);
}

TEST(Voice, SeedChangesTheNoise) {
  const auto voices = make_voices("en", {"slt"});
  EXPECT_NE(voices[0]->speak("Hello there.", 1).value().samples,
            voices[0]->speak("Hello there.", 2).value().samples);
}

TEST(Voice, SpeechIsAsLongAsItsText) {
  for (const auto& voice : make_voices("en", flite_voice_names())) {
    const auto speech = voice->speak("The train leaves at half past seven.", 0).value();
    const double seconds = static_cast<double>(speech.samples.size()) / speech.sample_rate;
    EXPECT_GT(seconds, 1.5) << voice->name();
    EXPECT_LT(seconds, 5) << voice->name();
  }
}

TEST(Voice, ASoundThatAVoiceHasNotIsToldOnStderrAndSpokenOn) {
  testing::internal::CaptureStderr();
  const auto voices = make_voices("en", {"kal16"});
  const auto sound = voices[0]->speak("The turnkeys slept in the prison.", 0);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("failed to find entry for"));
  EXPECT_GT(sound.value().samples.size(), 8000U);
}

TEST(Voice, WhatEnglishVoicesWouldLeaveOutIsRefused) {
  const auto voices = make_voices("en", {"kal16"});
  const auto code = [&](const char* text) {
    const auto speech = voices[0]->speak(text, 0);
    return speech ? std::string("said") : speech.fault().code;
  };
  EXPECT_EQ(code("سلام دنیا"), "text_unspeakable");
  EXPECT_EQ(code("Hello سلام"), "text_unspeakable");
  EXPECT_EQ(code("漢字"), "text_unspeakable");
  EXPECT_EQ(code("..."), "text_unspeakable");
  EXPECT_EQ(code("\xff\xfe"), "text_unspeakable");
  EXPECT_EQ(code("“Café” — naïve, isn’t it… Straße?"), "said");
  EXPECT_EQ(code("$5"), "said");
  EXPECT_EQ(code(std::string(20000, 'a').c_str()), "text_too_long");
  EXPECT_EQ(code(std::string(600, 'a').c_str()), "said");
}

TEST(Voice, AccentsAndSignsBecomeAscii) {
  EXPECT_EQ(detail::to_ascii("“Café” — isn’t…").value(), "\"Cafe\" ,  isn't...");
  EXPECT_THAT(detail::to_ascii("x ш").fault().evidence, HasSubstr("'ш' (U+0448)"));
}

TEST(Voice, EspeakSilenceIsAFault) {
  if (!espeak_is_here()) GTEST_SKIP() << "espeak-ng is not installed";
  const LeaksAllowed espeak;
  const auto voices = make_voices("fa", {"fa"});
  EXPECT_EQ(voices[0]->speak("   ", 0).fault().code, "clip_silent");
}

TEST(Voice, UnknownNamesAreRefusedWithTheNearest) {
  EXPECT_THAT(error_message([] { make_voices("en", {"stl"}); }),
              HasSubstr("no English voice 'stl'; did you mean 'slt'? expected slt, rms"));
  EXPECT_THAT(error_message([] { make_voices("en", {"nobody"}); }), HasSubstr("expected slt"));
  EXPECT_THAT(error_message([] { make_voices("en", {"slt", "slt"}); }), HasSubstr("twice"));
  if (!espeak_is_here()) GTEST_SKIP() << "espeak-ng is not installed";
  const LeaksAllowed espeak;
  EXPECT_THAT(error_message([] { make_voices("fa", {"qqq"}); }), HasSubstr("qqq"));
}

TEST(Voice, DefaultsFitTheLanguage) {
  EXPECT_THAT(default_voices("en", false), ElementsAre("slt"));
  EXPECT_THAT(default_voices("en-us", true), ElementsAre("slt", "rms", "awb", "kal16"));
  EXPECT_THAT(default_voices("fa", false), ElementsAre("fa"));
  EXPECT_THAT(default_voices("fa", true), ElementsAre("fa+m1", "fa+f2"));
}

TEST(Voice, RegionHasTheVoicesOfItsLanguage) {
  if (!espeak_is_here()) GTEST_SKIP() << "espeak-ng is not installed";
  const LeaksAllowed espeak;
  EXPECT_THAT(default_voices("fa-IR", false), ElementsAre("fa"));
  EXPECT_THAT(default_voices("fa-IR", true), ElementsAre("fa+m1", "fa+f2"));
  EXPECT_THAT(default_voices("pt-br", false), ElementsAre("pt-br"));
}

}  // namespace
}  // namespace seda::corpus
