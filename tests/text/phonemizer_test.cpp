// SPDX-License-Identifier: Apache-2.0
#include "seda/text/phonemizer.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "tests/support/error_message.h"

namespace seda::text {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> shown(std::string_view text, std::string_view language) {
  std::vector<std::string> out;
  for (const Run& run : split_runs(text, language))
    out.push_back((run.spoken ? run.language : "-") + ":" + std::string(run.text));
  return out;
}

TEST(Runs, KeepEveryByteInOrder) {
  for (const std::string text :
       {"", "a", " a, b! ", "سلام (hello) دنیا؟", "--x--", "\xff\xfe, \xd8"}) {
    std::string joined;
    for (const auto& run : split_runs(text, "en"))
      joined += run.text;
    EXPECT_EQ(joined, text);
  }
}

TEST(Runs, PunctuationIsNotSpoken) {
  EXPECT_THAT(shown("Well, yes!", "en"), ElementsAre("en:Well", "-:, ", "en:yes", "-:!"));
}

TEST(Runs, ApostrophesAndHyphensStayInsideWords) {
  EXPECT_THAT(shown("don't re-open", "en"), ElementsAre("en:don't re-open"));
  EXPECT_THAT(shown("wait - no", "en"), ElementsAre("en:wait", "-: ", "-:- ", "en:no"));
}

TEST(Runs, AnotherScriptGoesToItsOwnLanguage) {
  EXPECT_THAT(shown("سلام hello world دنیا", "fa"),
              ElementsAre("fa:سلام", "-: ", "en:hello world", "-: ", "fa:دنیا"));
  EXPECT_THAT(shown("the word سلام means peace", "en-gb"),
              ElementsAre("en-gb:the word", "-: ", "fa:سلام", "-: ", "en-gb:means peace"));
}

TEST(Runs, OfTheSameScriptStayWithTheLine) {
  EXPECT_THAT(shown("der Computer", "de"), ElementsAre("de:der Computer"));
  EXPECT_THAT(shown("کتاب", "ur"), ElementsAre("ur:کتاب"));
}

TEST(Voices, NearestComesFirst) {
  EXPECT_THAT(voices_of("fa"), ElementsAre("fa"));
  EXPECT_THAT(voices_of("fa-IR"), ElementsAre("fa-ir", "fa"));
  EXPECT_THAT(voices_of("EN_au"), ElementsAre("en-au", "en-us"));
  EXPECT_THAT(voices_of("en-GB"), ElementsAre("en", "en-us"));
  EXPECT_THAT(voices_of("zh-Hant-TW"), ElementsAre("zh-hant-tw", "zh-hant", "cmn"));
  EXPECT_THAT(voices_of("prs"), ElementsAre("fa"));
  EXPECT_THAT(voices_of(""), ElementsAre(""));
  EXPECT_THAT(voices_of("-"), ElementsAre("-", ""));
}

TEST(Phonemizer, RegionWithoutAVoiceIsSpokenByItsLanguages) {
  const Phonemizer phonemizer;
  EXPECT_EQ(phonemizer.apply("سلام دنیا", "fa-IR"), phonemizer.apply("سلام دنیا", "fa"));
  EXPECT_EQ(phonemizer.apply("Guten Tag", "de_DE"), phonemizer.apply("Guten Tag", "de"));
  EXPECT_EQ(phonemizer.apply("a lot of hot tea", "EN"), phonemizer.apply("a lot of hot tea", "en"));
  EXPECT_NE(phonemizer.apply("a lot of hot tea", "en-GB"),
            phonemizer.apply("a lot of hot tea", "en"));
}

TEST(Phonemizer, PersianQafIsIpa) {
  const std::string phonemes = Phonemizer().apply("قیمت آقای قاسمی", "fa");
  EXPECT_THAT(phonemes, HasSubstr("ɢ"));
  EXPECT_EQ(phonemes.find('1'), std::string::npos) << phonemes;
}

TEST(Phonemizer, SpelledLettersAreNotArticles) {
  const Phonemizer phonemizer;
  EXPECT_EQ(phonemizer.apply("F A A", "en"), "ˈɛf ˈeɪ ˈeɪ");
  EXPECT_EQ(phonemizer.apply("eight a m", "en"), "ˈeɪt ˈeɪ ˈɛm");
  EXPECT_EQ(phonemizer.apply("C I A agents", "en"), "sˈiː aɪ ˈeɪ ˈeɪdʒənts");
  EXPECT_EQ(phonemizer.apply("A dog", "en"), "ɐ dˈɑːɡ");
  EXPECT_EQ(phonemizer.apply("such a day", "en"), "sˈʌtʃ ɐ dˈeɪ");
}

TEST(Phonemizer, KeepsPunctuationInPlace) {
  const Phonemizer phonemizer;
  EXPECT_EQ(phonemizer.apply("Hello, world!", "en"), "həlˈoʊ, wˈɜːld!");
  EXPECT_EQ(phonemizer.apply("(yes)", "en"), "(jˈɛs)");
  EXPECT_EQ(phonemizer.apply("...", "en"), "...");
  EXPECT_EQ(phonemizer.apply("", "en"), "");
}

TEST(Phonemizer, SpeaksEachScriptInItsLanguage) {
  const Phonemizer phonemizer;
  EXPECT_EQ(phonemizer.apply("سلام hello", "fa"),
            phonemizer.apply("سلام", "fa") + " " + phonemizer.apply("hello", "en"));
}

TEST(Phonemizer, ALanguageWithoutAVoiceIsOneClearError) {
  const Phonemizer phonemizer;
  const auto message =
      testing_support::error_message([&] { phonemizer.apply("nuqneH", "tlh-nowhere"); });
  EXPECT_THAT(message, HasSubstr("'tlh-nowhere'"));
  EXPECT_THAT(message, HasSubstr("espeak-ng-data"));
}

TEST(Phonemizer, ThreadsAgreeWithOne) {
  const Phonemizer phonemizer;
  const std::string english = phonemizer.apply("She sells sea shells, 22 of them.", "en");
  const std::string persian =
      phonemizer.apply("کتاب‌های تازه، روی میز است.", "fa");
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 100; ++round) {
        ASSERT_EQ(phonemizer.apply("She sells sea shells, 22 of them.", "en"), english);
        ASSERT_EQ(phonemizer.apply("کتاب‌های تازه، روی میز است.", "fa"),
                  persian);
      }
    });
  }
}

}  // namespace
}  // namespace seda::text
