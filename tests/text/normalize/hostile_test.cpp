// SPDX-License-Identifier: Apache-2.0
//
// Any bytes give UTF-8 without control characters, in linear time, whatever the steps.
#include <algorithm>
#include <array>

#include "seda/base/random.h"
#include "seda/base/utf8.h"
#include "tests/text/normalize/spoken_case.h"

namespace seda::text {
namespace {

constexpr std::array<std::string_view, 7> kLanguages{"en", "en-gb", "fa", "de", "ar", "xx", ""};

std::string repeat(std::string_view unit, size_t bytes) {
  std::string text;
  while (text.size() < bytes)
    text += unit;
  return text;
}

bool has_control(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const char32_t c = decode_utf8(text, at);
    if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return true;
  }
  return false;
}

bool has_digit(std::string_view text) {
  return text.find_first_of("0123456789") != std::string_view::npos ||
         text.find("\u06f5") != std::string_view::npos;
}

void expect_sound(std::string_view line) {
  for (const std::string_view language : kLanguages) {
    const std::string text = normalize(line, language);
    ASSERT_FALSE(find_invalid_utf8(text)) << language;
    ASSERT_FALSE(has_control(text)) << language;
    const bool in_words = language.starts_with("en") || language == "fa";
    ASSERT_FALSE(in_words && has_digit(text)) << language << ": " << text.substr(0, 200);
  }
}

TEST(Hostile, EveryByteAlone) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string line(1, static_cast<char>(byte));
    expect_sound(line);
    expect_sound("5" + line + "5");
    expect_sound("a" + line + "b");
  }
}

TEST(Hostile, EveryPairOfSigns) {
  for (char a = ' '; a < 0x7f; ++a) {
    for (char b = ' '; b < 0x7f; ++b) {
      const std::string line = {'1', a, b, '2'};
      for (const std::string_view language : {"en", "fa"})
        ASSERT_FALSE(has_digit(normalize(line, language))) << language << ": " << line;
    }
  }
}

TEST(Hostile, OddSequences) {
  using namespace std::string_view_literals;
  for (const std::string_view line : {
           "a\0b"sv,
           "\xed\xa0\x80 lone surrogate"sv,
           "\xf4\x90\x80\x80"sv,
           "\xc0\xaf\xe2\x82"sv,
           "\u0301\u0302\u064e\u0670\u0654"sv,
           "\u200f\u202e\u2066\u200d\u200c"sv,
           "\ufe0f\u20e3\U000e0067\U0001f1ee"sv,
           "&#0;&#1;&#127;&#xffffffff;&#55296;&;&#;&#x;"sv,
           "$ £ € -$ +- ( ) . , ' #"sv,
           "$. -. +. '9 #. 1. .1. 1: :1 1/ /1 1- -1-"sv,
           "999999999999999999 1000000000000000000 99999999999999999999.5"sv,
           "00:00:00 99:99 24:60 31/31/3131 0/0 1/0 0000-00-00"sv,
           "IIIIIIII MMMMMMMMM VX IC"sv,
       })
    expect_sound(line);
}

TEST(Hostile, LongLinesOfOneThing) {
  constexpr size_t kBytes = 1 << 17;
  for (const std::string_view unit :
       {"a",  "A",        ".",     "-",      "1",      "1 ",      "1,",     "1.",     "1-",
        "1/", "1:",       "$",     "(",      "&",      "&amp;",   "'",      "1,234,", "a.",
        "A.", "U.S.",     "@",     "a@",     "a.com/", "http://", "!",      "?!",     "…",
        ". ", "I ",       "Mr. ",  "می ",    "م",      "\u200c",  "\u0301", "۱",      "١٫",
        "😀", "😀\u200d", "🇮",     "\ufe0f", "½",      "1 1/2 ",  "5 May ", "May 5 ", "°",
        "1'", "+1 ",      "0912 ", "\xff",   "ه ",     "-5",      "--5"}) {
    const std::string line = repeat(unit, kBytes);
    for (const std::string_view language : {"en", "fa", "de"})
      ASSERT_FALSE(find_invalid_utf8(normalize(line, language))) << unit;
  }
}

TEST(Hostile, AMegabyte) {
  for (const std::string_view unit : {"word ", "کلمه ", "1", "& ", "A", "."})
    expect_sound(repeat(unit, 1 << 20));
}

TEST(Hostile, AHundredThousandDigits) {
  expect_sound(std::string(100'000, '7'));
  expect_sound("$" + std::string(100'000, '7') + "." + std::string(100'000, '3'));
  expect_sound(repeat("123,", 100'000) + "456");
}

TEST(Hostile, RandomBytes) {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    std::string line(random() % 200, '\0');
    for (char& byte : line)
      byte = static_cast<char>(random());
    expect_sound(line);
  }
}

TEST(Hostile, RandomPiecesInAnyOrderOfSteps) {
  constexpr std::array<std::string_view, 40> kPieces{
      "1",   "23",  "1984", ",",  ".",    "-", " ",      "$",    "%",  "Dr.",
      "St.", "May", "VIII", "@",  "/",    ":", "'",      "\"",   "s",  "th",
      "می",  "ها",  "۵",    "٪",  "ام",   "،", "\u200c", "😀",   "½",  "&amp;",
      "FBI", "km",  "°",    "م.", "www.", "(", ")",      "\xe2", "\t", "–"};
  Random random(11);
  std::vector<std::string> order;
  for (const Cleaner& cleaner : cleaners())
    order.emplace_back(cleaner.name);
  for (int round = 0; round < 400; ++round) {
    std::string line;
    for (size_t i = random() % 24; i > 0; --i)
      line += kPieces[random() % kPieces.size()];
    expect_sound(line);
    std::shuffle(order.begin(), order.end(), random);
    const Normalizer shuffled({.cleaners = order});
    for (const std::string_view language : kLanguages)
      ASSERT_FALSE(find_invalid_utf8(shuffled.apply(line, language).text)) << line;
  }
}

}  // namespace
}  // namespace seda::text
