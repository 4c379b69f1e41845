// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "seda/text/normalize/persian/persian.h"
#include "seda/text/normalize/persian/readers.h"
#include "seda/text/normalize/persian/words.h"

namespace seda::text::persian {
namespace {

struct Sign {
  std::string_view word;
  size_t length = 0;
};

Sign sign_at(const NumberText& text, size_t at) {
  if (text.has(at, "±")) return {"مثبت و منفی", 2};
  if (text.has(at, "−")) return {"منفی", 3};
  if (!text.is_start(at)) return {};
  if (text.at(at) == '-') return {"منفی", 1};
  if (text.at(at) == '+') return {"مثبت", 1};
  if (text.at(at) == '#') return {"شماره", 1};
  if (text.at(at) == '~') return {"حدود", 1};
  return {};
}

/// What follows the digits of an ordinal: «م», «ام», «امین».
struct Suffix {
  bool adjective = false;  ///< «بیست و یکمین».
  size_t end = 0;
};

Suffix suffix_at(const NumberText& text, size_t at) {
  static constexpr std::array<std::string_view, 6> kEndings{"اُمین", "امین", "مین", "اُم", "ام", "م"};
  const bool joiner = text.has(at, "\u200c");
  const bool spaced = text.at(at) == ' ';
  const size_t start = at + (joiner ? 3 : spaced ? 1 : 0);
  for (const auto ending : kEndings) {
    if (spaced && !ending.starts_with("ا")) continue;
    const size_t end = start + ending.size();
    if (text.has(start, ending) && text.is_end(end) && !text.has(end, "\u200c"))
      return {ending.ends_with("ین"), end};
  }
  return {};
}

/// «3x4», «3 × 4».
size_t times_end(const NumberText& text, size_t at) {
  const size_t start = skip_space(text.text, at);
  const size_t length = text.at(start) == 'x' ? 1 : text.has(start, "×") ? 2 : 0;
  const size_t end = skip_space(text.text, start + length);
  return length != 0 && is_digit(text.at(end)) ? end : 0;
}

constexpr size_t kLongestPart = 6;

/// Two numbers with a slash between them.
struct Slash {
  std::string_view above;
  std::string_view below;
  size_t end = 0;

  /// Persian also writes decimals with a slash: «1/75» is 1.75, «3/4» three quarters.
  bool is_fraction() const {
    const uint64_t parts = to_value(below);
    const bool usual = (parts <= 10 || parts == 100 || parts == 1000) && below[0] != '0';
    return usual && to_value(above) > 0 && to_value(above) < parts;
  }
};

Slash slash_at(const NumberText& text, size_t at) {
  const size_t middle = skip_digits(text.text, at);
  if (middle == at || middle - at > kLongestPart || text.at(middle) != '/') return {};
  const size_t end = skip_digits(text.text, middle + 1);
  const size_t length = end - middle - 1;
  const bool went_on = at > 1 && text.at(at - 1) == '/' && is_digit(text.at(at - 2));
  if (length == 0 || length > kLongestPart || text.at(end) == '/' || went_on) return {};
  return {text.text.substr(at, middle - at), text.text.substr(middle + 1, length), end};
}

std::string spoken(const Slash& slash) {
  if (slash.is_fraction())
    return cardinal(to_value(slash.above)) + " " + ordinal(to_value(slash.below));
  Numeral decimal = parse_numeral(slash.above, 0);
  decimal.decimals = slash.below;
  return number(decimal);
}

/// «1/2» is «یک دوم», «3 1/2» «سه و نیم»; «12/5» and «1/75», no usual fractions, are decimals.
size_t read_fraction(const NumberText& text, size_t at, std::string& words) {
  if (!is_digit(text.at(at)) || !text.is_start(at)) return 0;
  const size_t first = skip_digits(text.text, at);
  const Slash plain = slash_at(text, at);
  const bool mixed = plain.end == 0 && text.at(first) == ' ' && first - at <= kLongestPart;
  const Slash slash = mixed ? slash_at(text, first + 1) : plain;
  if (slash.end == 0 || (mixed && !slash.is_fraction())) return 0;
  if (mixed) words = number(parse_numeral(text.text.substr(at, first - at), 0)) + " و";
  const bool half = mixed && slash.above == "1" && slash.below == "2";
  append_word(words, half ? "نیم" : spoken(slash));
  return append_unit(text, slash.end, words);
}

bool is_price(const NumberText& text, size_t at) {
  const size_t start = skip_space(text.text, at);
  return text.has(start, "تومان") || text.has(start, "تومن") || text.has(start, "ریال");
}

/// «250/000 تومان», «1.250.000»: thousands parted as decimals are. Prices, and what ends in three
/// zeros, which no decimal does.
size_t read_thousands(const NumberText& text, size_t at, std::string& words) {
  if (!is_digit(text.at(at)) || text.at(at) == '0' || !text.is_start(at)) return 0;
  const size_t first = skip_digits(text.text, at);
  const char separator = text.at(first);
  if (first - at > 3 || (separator != '/' && separator != '.')) return 0;
  const Numeral numeral = parse_numeral(text.text, at, {separator, '\0'});
  const bool goes_on = text.at(numeral.end) == separator && is_digit(text.at(numeral.end + 1));
  if (!numeral.grouped || !numeral.is_nameable() || goes_on) return 0;
  if (!numeral.whole.ends_with("000") && !is_price(text, numeral.end)) return 0;
  words = number(numeral);
  return append_unit(text, numeral.end, words);
}

/// Any other number: ordinals, decimals, signs, percents and units.
size_t read_quantity(const NumberText& text, size_t at, std::string& words) {
  const bool percent_first = text.at(at) == '%' && is_digit(text.at(at + 1));
  const Sign sign = percent_first ? Sign{"", 1} : sign_at(text, at);
  const size_t start = at + sign.length;
  const bool point = text.at(start) == '.' && text.is_start(start) && is_digit(text.at(start + 1));
  if (!is_digit(text.at(start)) && !point) return 0;
  const Numeral numeral = parse_numeral(text.text, start);
  words = sign.word;
  const Suffix suffix = numeral.is_integer() ? suffix_at(text, numeral.end) : Suffix{};
  if (suffix.end != 0 && numeral.is_nameable() && numeral.value() > 0) {
    append_word(words, ordinal(numeral.value()));
    if (suffix.adjective) words += "ین";
    return suffix.end;
  }
  append_word(words, number(numeral));
  if (percent_first) append_word(words, "درصد");
  const size_t times = times_end(text, numeral.end);
  if (times != 0) append_word(words, "در");
  if (percent_first || times != 0) return times != 0 ? times : numeral.end;
  return append_unit(text, numeral.end, words);
}

}  // namespace

void speak_numbers(std::string_view text, std::string& out) {
  static constexpr std::array<NumberReader, 9> kReaders{
      read_phone, read_numeric_date, read_thousands, read_groups,  read_day,
      read_time,  read_money,        read_fraction,  read_quantity};
  read_numbers({text, "fa"}, {kReaders, "تا", true}, out);
}

}  // namespace seda::text::persian
