// SPDX-License-Identifier: Apache-2.0
#include "seda/text/normalize/persian/words.h"

#include <array>

#include "seda/text/normalize/scan.h"

namespace seda::text::persian {
namespace {

constexpr std::array<std::string_view, 20> kSmall{
    "صفر", "یک",    "دو",     "سه",    "چهار",   "پنج",    "شش",     "هفت",  "هشت",  "نه",
    "ده",  "یازده", "دوازده", "سیزده", "چهارده", "پانزده", "شانزده", "هفده", "هجده", "نوزده"};
constexpr std::array<std::string_view, 10> kTens{"",      "",    "بیست",  "سی",    "چهل",
                                                 "پنجاه", "شصت", "هفتاد", "هشتاد", "نود"};
constexpr std::array<std::string_view, 10> kHundreds{"",      "صد",   "دویست", "سیصد",  "چهارصد",
                                                     "پانصد", "ششصد", "هفتصد", "هشتصد", "نهصد"};
constexpr std::array<std::string_view, 6> kScales{"",        "هزار",    "میلیون",
                                                  "میلیارد", "تریلیون", "کوادریلیون"};

void append_part(std::string& out, std::string_view word) {
  if (!out.empty()) out += " و ";
  out += word;
}

std::string below_thousand(uint64_t value) {
  std::string out;
  if (value >= 100) append_part(out, kHundreds[value / 100]);
  value %= 100;
  if (value >= 20) {
    append_part(out, kTens[value / 10]);
    value %= 10;
  }
  if (value > 0) append_part(out, kSmall[value]);
  return out;
}

std::string decimals(std::string_view text) {
  if (text.size() > 3) return digits(text);
  std::string out;
  while (text.size() > 1 && text[0] == '0') {
    append_word(out, kSmall[0]);
    text.remove_prefix(1);
  }
  append_word(out, cardinal(to_value(text)));
  return out;
}

}  // namespace

std::string cardinal(uint64_t value) {
  if (value == 0) return std::string(kSmall[0]);
  std::string out;
  uint64_t unit = 1'000'000'000'000'000;
  for (size_t scale = kScales.size(); scale-- > 0; unit /= 1000) {
    const uint64_t part = value / unit % 1000;
    if (part == 0) continue;
    std::string words = scale == 1 && part == 1 ? "" : below_thousand(part);
    if (scale > 0) append_word(words, kScales[scale]);
    append_part(out, words);
  }
  return out;
}

std::string ordinal(uint64_t value) {
  std::string words = cardinal(value);
  if (value % 10 == 3 && value % 100 != 13) return words.replace(words.size() - 2, 2, "وم");
  if (value % 100 == 30) return words + "\u200cام";
  return words + "م";
}

std::string digits(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_digit(c)) append_word(out, kSmall[static_cast<size_t>(c - '0')]);
  }
  return out;
}

std::string number(const Numeral& numeral) {
  std::string out;
  if (numeral.whole.empty()) {
    out = kSmall[0];
  } else {
    const bool named = numeral.is_nameable() && !numeral.has_leading_zero();
    out = named ? cardinal(numeral.value()) : digits(numeral.whole);
  }
  if (!numeral.decimals.empty()) {
    append_word(out, "ممیز");
    append_word(out, decimals(numeral.decimals));
  }
  return out;
}

}  // namespace seda::text::persian
