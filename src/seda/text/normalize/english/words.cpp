// SPDX-License-Identifier: Apache-2.0
#include "seda/text/normalize/english/words.h"

#include <array>
#include <utility>

#include "seda/text/normalize/scan.h"

namespace seda::text::english {
namespace {

constexpr std::array<std::string_view, 20> kSmall{
    "zero",     "one",     "two",     "three",     "four",     "five",    "six",
    "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
constexpr std::array<std::string_view, 10> kTens{"",      "",      "twenty",  "thirty", "forty",
                                                 "fifty", "sixty", "seventy", "eighty", "ninety"};
constexpr std::array<std::string_view, 6> kScales{"",        "thousand", "million",
                                                  "billion", "trillion", "quadrillion"};
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kOrdinals{
    {{"one", "first"},
     {"two", "second"},
     {"three", "third"},
     {"five", "fifth"},
     {"eight", "eighth"},
     {"nine", "ninth"},
     {"twelve", "twelfth"},
     {"", ""}}};

void append_below_hundred(std::string& out, uint64_t value) {
  if (value < 20) {
    append_word(out, kSmall[value]);
    return;
  }
  append_word(out, kTens[value / 10]);
  if (value % 10 != 0) out.append("-").append(kSmall[value % 10]);
}

void append_below_thousand(std::string& out, uint64_t value, bool with_and) {
  if (value >= 100) {
    append_word(out, kSmall[value / 100]);
    append_word(out, "hundred");
    value %= 100;
    if (value == 0) return;
    if (with_and) append_word(out, "and");
  }
  append_below_hundred(out, value);
}

/// The ordinal of the last word of a cardinal: "twenty-one" → "twenty-first".
std::string to_ordinal(std::string words) {
  const size_t start = words.find_last_of(" -") + 1;
  const std::string last = words.substr(start);
  for (const auto& [from, to] : kOrdinals) {
    if (last == from) return words.replace(start, std::string::npos, to);
  }
  if (words.ends_with('y')) return words.replace(words.size() - 1, 1, "ieth");
  return words + "th";
}

}  // namespace

std::string cardinal(uint64_t value, bool british) {
  if (value == 0) return "zero";
  std::string out;
  uint64_t unit = 1'000'000'000'000'000;
  for (size_t scale = kScales.size(); scale-- > 0; unit /= 1000) {
    const uint64_t part = value / unit % 1000;
    if (part == 0) continue;
    if (british && scale == 0 && part < 100 && !out.empty()) append_word(out, "and");
    append_below_thousand(out, part, british);
    if (scale > 0) append_word(out, kScales[scale]);
  }
  return out;
}

std::string ordinal(uint64_t value, bool british) {
  return to_ordinal(cardinal(value, british));
}

std::string pair(uint64_t value) {
  return value < 10 ? "oh " + cardinal(value) : cardinal(value);
}

std::string year(uint64_t value) {
  const uint64_t high = value / 100;
  const uint64_t low = value % 100;
  if (value < 1000 || value > 9999 || (high % 10 == 0 && low < 10)) return cardinal(value);
  return cardinal(high) + " " + (low == 0 ? "hundred" : pair(low));
}

std::string digits(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_digit(c)) append_word(out, kSmall[static_cast<size_t>(c - '0')]);
  }
  return out;
}

std::string number(const Numeral& numeral, bool british) {
  std::string out;
  if (!numeral.whole.empty()) {
    const bool named = numeral.is_nameable() && !numeral.has_leading_zero();
    out = named ? cardinal(numeral.value(), british) : digits(numeral.whole);
  }
  if (!numeral.decimals.empty()) {
    append_word(out, "point");
    append_word(out, digits(numeral.decimals));
  }
  return out;
}

std::string plural(std::string word) {
  if (word.ends_with('y')) return word.replace(word.size() - 1, 1, "ies");
  return word + (word.ends_with('x') ? "es" : "s");
}

}  // namespace seda::text::english
