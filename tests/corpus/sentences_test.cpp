// SPDX-License-Identifier: Apache-2.0
#include "seda/corpus/sentences.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/utf8.h"
#include "tests/support/asked_to_stop.h"
#include "tests/support/error_message.h"

namespace seda::corpus {
namespace {

using testing::HasSubstr;
using testing_support::error_message;

constexpr char32_t kZwnj = 0x200c;

std::u32string decode(std::string_view text) {
  std::u32string out;
  for (size_t at = 0; at < text.size();)
    out += decode_utf8(text, at);
  return out;
}

/// Words between spaces, without the signs at their ends.
std::vector<std::u32string> words(std::u32string_view text) {
  std::vector<std::u32string> list(1);
  for (const char32_t c : text) {
    if (c == U' ') {
      list.emplace_back();
    } else if (std::u32string_view(U".،؟!").find(c) == std::u32string_view::npos) {
      list.back() += c;
    }
  }
  return list;
}

/// A ZWNJ after a letter that never joins to the left does nothing.
bool has_idle_zwnj(std::u32string_view word) {
  for (size_t i = 1; i < word.size(); ++i) {
    const bool joins =
        std::u32string_view(U"ادذرزژوآ").find(word[i - 1]) == std::u32string_view::npos;
    if (word[i] == kZwnj && !joins) return true;
  }
  return false;
}

TEST(Sentences, ThousandsWithoutARepeat) {
  for (const char* language : {"en", "fa"}) {
    const auto list = compose_sentences(language, 20000, 0);
    EXPECT_EQ(std::set<std::string>(list.begin(), list.end()).size(), 20000u) << language;
  }
}

TEST(Sentences, SeedDecidesAndTheShorterListBeginsTheLonger) {
  const auto many = compose_sentences("en", 500, 7);
  auto few = compose_sentences("en", 100, 7);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  EXPECT_NE(few, compose_sentences("en", 100, 8));
}

TEST(Sentences, AreCountedAsTheyAreComposed) {
  size_t composed = 0;
  compose_sentences("fa", 30, 0, [&] { ++composed; });
  EXPECT_EQ(composed, 30u);
}

TEST(Sentences, EndAtCtrlC) {
  const testing_support::AskedToStop asked;
  size_t composed = 0;
  const auto compose = [&] { compose_sentences("en", 1000, 0, [&] { ++composed; }); };
  EXPECT_THAT(error_message(compose), HasSubstr("stopped by Ctrl-C"));
  EXPECT_EQ(composed, 0u);
}

TEST(Sentences, EnglishIsWrittenInAsciiAndEnds) {
  constexpr std::string_view kSigns = " .,?!'$:";
  for (const std::string& sentence : compose_sentences("en", 20000, 1)) {
    EXPECT_TRUE(std::ranges::all_of(sentence, [&](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
             kSigns.find(c) != std::string_view::npos;
    })) << sentence;
    EXPECT_THAT(".?!", HasSubstr(sentence.substr(sentence.size() - 1))) << sentence;
    EXPECT_TRUE(std::isupper(static_cast<unsigned char>(sentence[0]))) << sentence;
    EXPECT_EQ(sentence.find("  "), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find(" a a"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find(" a e"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find(" a o"), std::string::npos) << sentence;
  }
}

TEST(Sentences, AreOfEveryKind) {
  for (const char* language : {"en", "fa"}) {
    std::map<char32_t, int> ends;
    int with_numbers = 0;
    for (const std::string& sentence : compose_sentences(language, 2000, 2)) {
      const auto text = decode(sentence);
      ++ends[text.back()];
      with_numbers += text.find_first_of(U"0123456789۰۱۲۳۴۵۶۷۸۹") != std::u32string::npos ? 1 : 0;
      const size_t count = words(text).size();
      EXPECT_GE(count, 4u) << sentence;
      EXPECT_LE(count, 34u) << sentence;
    }
    EXPECT_GT(ends[U'.'], 800) << language;
    EXPECT_GT(ends[language[0] == 'e' ? U'?' : U'؟'], 200) << language;
    EXPECT_GT(ends[U'!'], 100) << language;
    EXPECT_GT(with_numbers, 400) << language;
  }
}

TEST(Sentences, PersianHasOnlyPersianLetters) {
  const std::u32string letters =
      U"آابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهیئأؤء۰۱۲۳۴۵۶۷۸۹ .،؟!\u064b\u200c";
  for (const std::string& sentence : compose_sentences("fa", 20000, 3)) {
    for (const char32_t c : decode(sentence)) {
      EXPECT_NE(letters.find(c), std::u32string::npos)
          << sentence << " has U+" << std::hex << static_cast<uint32_t>(c);
    }
  }
}

TEST(Sentences, PersianJoinsItsPartsByZwnj) {
  const std::set<std::u32string> parts = {U"می",   U"نمی", U"ها",  U"های", U"هایش", U"تر",
                                          U"ترین", U"ام",  U"اند", U"اید", U"ای"};
  for (const std::string& sentence : compose_sentences("fa", 20000, 4)) {
    const auto text = decode(sentence);
    for (const std::u32string& word : words(text)) {
      EXPECT_FALSE(parts.contains(word)) << sentence;
      EXPECT_FALSE(word.empty()) << sentence;
      const bool at_an_end = word.starts_with(kZwnj) || word.ends_with(kZwnj);
      EXPECT_FALSE(at_an_end || word.find(std::u32string(2, kZwnj)) != std::u32string::npos)
          << sentence;
      EXPECT_FALSE(has_idle_zwnj(word)) << sentence;
    }
  }
}

TEST(Sentences, PersianVerbsKeepTheirPrefix) {
  size_t found = 0;
  for (const std::string& sentence : compose_sentences("fa", 5000, 5))
    found += sentence.find("می\u200c") != std::string::npos ? 1 : 0;
  EXPECT_GT(found, 1000u);
}

TEST(Sentences, RegionsCountAsTheirLanguage) {
  EXPECT_TRUE(can_compose("en-us"));
  EXPECT_TRUE(can_compose("fa_IR"));
  EXPECT_FALSE(can_compose("de"));
  EXPECT_EQ(compose_sentences("en-gb", 5, 0), compose_sentences("en", 5, 0));
}

TEST(Sentences, OtherLanguagesNeedTranscripts) {
  EXPECT_THAT(error_message([] { compose_sentences("de", 5, 0); }), HasSubstr("--transcripts"));
}

}  // namespace
}  // namespace seda::corpus
