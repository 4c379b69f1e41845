// SPDX-License-Identifier: Apache-2.0
#include "seda/text/normalize/english/readers.h"
#include "seda/text/normalize/english/words.h"

namespace seda::text::english {
namespace {

struct Fraction {
  uint64_t above = 0;
  uint64_t below = 0;
  size_t end = 0;
};

Fraction fraction_at(const NumberText& text, size_t at) {
  const size_t middle = skip_digits(text.text, at);
  if (middle == at || middle - at > 4 || text.at(middle) != '/') return {};
  const size_t end = skip_digits(text.text, middle + 1);
  if (end == middle + 1 || end - middle > 5 || text.at(middle + 1) == '0') return {};
  const bool goes_on = text.at(end) == '/' || (text.at(end) == '.' && is_digit(text.at(end + 1)));
  const bool went_on = at > 1 && text.at(at - 1) == '/' && is_digit(text.at(at - 2));
  if (goes_on || went_on) return {};
  return {to_value(text.text.substr(at, middle - at)),
          to_value(text.text.substr(middle + 1, end - middle - 1)), end};
}

std::string denominator(uint64_t below, bool one) {
  if (below == 2) return one ? "half" : "halves";
  if (below == 4) return one ? "quarter" : "quarters";
  return one ? ordinal(below) : ordinal(below) + "s";
}

bool is_named(const Fraction& fraction) {
  const uint64_t below = fraction.below;
  return below >= 2 && fraction.above < below && fraction.above > 0 &&
         (below <= 20 || below == 32 || below == 64 || below == 100 || below == 1000);
}

std::string spoken(const Fraction& fraction, bool british) {
  const bool phrase = (fraction.above == 24 && fraction.below == 7) ||
                      (fraction.above == 9 && fraction.below == 11) ||
                      (fraction.above == 50 && fraction.below == 50);
  if (is_named(fraction) && !phrase)
    return cardinal(fraction.above) + " " + denominator(fraction.below, fraction.above == 1);
  const std::string_view joint = phrase ? " " : " over ";
  return cardinal(fraction.above, british).append(joint) + cardinal(fraction.below, british);
}

std::string after_whole(const Fraction& fraction) {
  if (fraction.above > 1) return spoken(fraction, false);
  const std::string part = denominator(fraction.below, true);
  return (part.starts_with("eigh") || part.starts_with("elev") ? "an " : "a ") + part;
}

}  // namespace

size_t read_fraction(const NumberText& text, size_t at, std::string& words) {
  if (!is_digit(text.at(at)) || !text.is_start(at)) return 0;
  const Fraction plain = fraction_at(text, at);
  if (plain.end != 0) {
    words = spoken(plain, text.british);
    return append_unit(text, plain.end, plain.above < plain.below, words);
  }
  const Numeral whole = parse_numeral(text.text, at);
  if (!whole.is_integer() || text.at(whole.end) != ' ' || whole.whole.size() > 6) return 0;
  const Fraction part = fraction_at(text, whole.end + 1);
  if (part.end == 0 || !is_named(part)) return 0;
  words = number(whole, text.british);
  append_word(words, "and");
  append_word(words, after_whole(part));
  return append_unit(text, part.end, false, words);
}

size_t read_height(const NumberText& text, size_t at, std::string& words) {
  if (!is_digit(text.at(at)) || !text.is_start(at)) return 0;
  const size_t feet = skip_digits(text.text, at);
  const bool prime = text.has(feet, "′");
  if ((!prime && text.at(feet) != '\'') || feet - at > 5) return 0;
  const size_t inches = feet + (prime ? 3 : 1);
  const size_t end = skip_digits(text.text, inches);
  const uint64_t value = to_value(text.text.substr(at, feet - at));
  const size_t before = at > 0 && text.at(at - 1) == ' ' ? at - 1 : at;
  const bool angle = before >= 2 && text.has(before - 2, "°");
  if (end == inches || angle) {
    if (!prime) return 0;
    words = cardinal(value);
    append_word(words,
                angle ? (value == 1 ? "minute" : "minutes") : (value == 1 ? "foot" : "feet"));
    return inches;
  }
  if (end - inches > 2 || !text.is_end(end)) return 0;
  words = cardinal(value) + " foot " + cardinal(to_value(text.text.substr(inches, end - inches)));
  if (text.at(end) == '"') return end + 1;
  return text.has(end, "″") ? end + 3 : end;
}

}  // namespace seda::text::english
