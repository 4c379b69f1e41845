// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "seda/text/normalize/step.h"
#include "seda/text/normalize/traits.h"

namespace seda::text {
namespace {

constexpr std::array<Step, 12> kSteps{{
    {{"unicode", 1,
      "NFC; HTML entities and tags, full-width forms; no control or invisible characters", true},
     clean_unicode,
     kControl | kSymbol | kBeyondAscii},
    {{"emoji", 1, "Drops emoji and counts them", true}, clean_emoji, kBeyondAscii},
    {{"letters", 1, "Persian and Arabic letter forms, joiners, tatweel, vowel marks", true},
     clean_letters,
     kBeyondAscii},
    {{"urls", 2, "Web and e-mail addresses as they are spoken", true}, clean_urls, kPoint, true},
    {{"abbreviations", 2, "Titles, streets, months and other shortened words in full", true},
     clean_abbreviations,
     kPoint | kUpper | kSymbol | kBeyondAscii,
     true},
    {{"roman", 2, "Roman numerals after names, chapters and wars", true},
     clean_roman,
     kUpper,
     true},
    {{"numbers", 2, "Numbers, dates, times, money, units and telephone numbers in words", true},
     clean_numbers,
     kDigit | kBeyondAscii,
     true},
    {{"acronyms", 1, "Acronyms letter by letter, unless they are read as words", true},
     clean_acronyms,
     kUpperPair | kPoint},
    {{"symbols", 2, "Symbols in words where that is usual, else dropped", true},
     clean_symbols,
     kSymbol | kBeyondAscii,
     true},
    {{"punctuation", 1, "One form of quotes, dashes and brackets; repeated marks once", true},
     clean_punctuation,
     kSymbol | kRepeat | kLooseSpace | kBeyondAscii},
    {{"lowercase", 1, "Lower case by the rules of the language", false},
     clean_lowercase,
     kUpper | kBeyondAscii},
    {{"whitespace", 1, "Single spaces, none at the ends", true},
     clean_whitespace,
     kLooseSpace | kControl | kBeyondAscii},
}};

}  // namespace

std::span<const Step> all_steps() {
  return kSteps;
}

const std::vector<Cleaner>& cleaners() {
  static const std::vector<Cleaner> list = [] {
    std::vector<Cleaner> all;
    all.reserve(kSteps.size());
    for (const Step& step : kSteps)
      all.push_back(step.cleaner);
    return all;
  }();
  return list;
}

}  // namespace seda::text
