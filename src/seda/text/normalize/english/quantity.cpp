// SPDX-License-Identifier: Apache-2.0
#include "seda/text/normalize/english/readers.h"
#include "seda/text/normalize/english/words.h"

namespace seda::text::english {
namespace {

/// What may stand before a number, and its word.
struct Sign {
  std::string_view word;
  size_t length = 0;
};

Sign sign_at(const NumberText& text, size_t at) {
  const bool start = text.is_start(at);
  if (text.has(at, "±")) return {"plus or minus", 2};
  if (text.has(at, "−")) return {"minus", 3};
  if (!start) return {};
  if (text.at(at) == '-') return {"minus", 1};
  if (text.at(at) == '+') return {"plus", 1};
  if (text.at(at) == '#') return {"number", 1};
  if (text.at(at) == '~') return {"about", 1};
  return {};
}

bool is_one(const Numeral& numeral) {
  return numeral.whole == "1" && numeral.is_integer();
}

/// "3x4", "3 × 4": the sign and what spaces there are.
size_t times_end(const NumberText& text, size_t at) {
  const size_t start = skip_space(text.text, at);
  const size_t length = text.at(start) == 'x' ? 1 : text.has(start, "×") ? 2 : 0;
  const size_t end = skip_space(text.text, start + length);
  return length != 0 && is_digit(text.at(end)) ? end : 0;
}

/// "10k" and "10K".
bool is_thousands(const NumberText& text, size_t end) {
  return (text.at(end) == 'k' || text.at(end) == 'K') && text.is_end(end + 1);
}

/// "10^6", "10^-6": past the sign of the power and its minus.
size_t power_end(const NumberText& text, size_t at) {
  if (text.at(at) != '^') return 0;
  const size_t end = at + (text.at(at + 1) == '-' ? 2 : 1);
  return is_digit(text.at(end)) ? end : 0;
}

size_t append_power(const NumberText& text, size_t end, std::string& words) {
  const bool square = text.has(end, "²");
  if (!square && !text.has(end, "³")) return end;
  append_word(words, square ? "squared" : "cubed");
  return end + 2;
}

/// "737s", "6s": the plural of the number, not seconds.
bool is_plural(const NumberText& text, const Numeral& numeral) {
  return numeral.is_integer() && text.at(numeral.end) == 's' && text.is_end(numeral.end + 1);
}

size_t append_rest(const NumberText& text, const Numeral& numeral, std::string& words) {
  if (is_plural(text, numeral)) {
    words = plural(words);
    return numeral.end + 1;
  }
  if (const size_t power = power_end(text, numeral.end); power != 0) {
    append_word(words, "to the power of");
    if (text.at(power - 1) == '-') append_word(words, "minus");
    return power;
  }
  if (is_thousands(text, numeral.end)) {
    append_word(words, "thousand");
    return numeral.end + 1;
  }
  const size_t times = times_end(text, numeral.end);
  if (times != 0) {
    const bool spaced = text.has(numeral.end, " ×");
    append_word(words, spaced ? "times" : "by");
    return times;
  }
  const bool factor = text.at(numeral.end) == 'x' && text.is_end(numeral.end + 1);
  if (factor) {
    append_word(words, is_one(numeral) ? "time" : "times");
    return numeral.end + 1;
  }
  return append_power(text, append_unit(text, numeral.end, is_one(numeral), words), words);
}

}  // namespace

size_t ordinal_suffix_end(const NumberText& text, size_t at) {
  for (const std::string_view suffix : {"st", "nd", "rd", "th", "ST", "ND", "RD", "TH"}) {
    if (text.has(at, suffix) && text.is_end(at + 2)) return at + 2;
  }
  return 0;
}

size_t append_per(const NumberText& text, size_t end, std::string& words) {
  if (text.at(end) != '/' || !is_lower(text.at(end + 1))) return end;
  append_word(words, "per");
  const auto unit = find_unit(text, end + 1);
  if (!unit || unit->end < end + 3) return end + 1;  // one letter may stand for many words
  append_word(words, std::string(unit->before).append(unit->one));
  return unit->end;
}

size_t read_quantity(const NumberText& text, size_t at, std::string& words) {
  const Sign sign = sign_at(text, at);
  const size_t start = at + sign.length;
  const bool point = text.at(start) == '.' && text.is_start(start);
  if (!is_digit(text.at(start)) && !(point && is_digit(text.at(start + 1)))) return 0;
  const Numeral numeral = parse_numeral(text.text, start);
  words = sign.word;
  const size_t suffix = numeral.is_integer() ? ordinal_suffix_end(text, numeral.end) : 0;
  if (suffix != 0 && numeral.is_nameable()) {
    append_word(words, ordinal(numeral.value(), text.british));
    return suffix;
  }
  append_word(words, number(numeral, text.british));
  const size_t end = append_rest(text, numeral, words);
  return end > numeral.end ? append_per(text, end, words) : end;
}

}  // namespace seda::text::english
