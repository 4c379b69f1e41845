// SPDX-License-Identifier: Apache-2.0
#include "seda/text/normalize/numeral.h"

#include <algorithm>
#include <array>
#include <utility>

#include "seda/base/utf8.h"
#include "seda/text/normalize/characters.h"
#include "seda/text/normalize/scan.h"

namespace seda::text {
namespace {

constexpr std::array<std::pair<char32_t, std::string_view>, 19> kFractions{{{0xbc, "1/4"},
                                                                            {0xbd, "1/2"},
                                                                            {0xbe, "3/4"},
                                                                            {0x2150, "1/7"},
                                                                            {0x2151, "1/9"},
                                                                            {0x2152, "1/10"},
                                                                            {0x2153, "1/3"},
                                                                            {0x2154, "2/3"},
                                                                            {0x2155, "1/5"},
                                                                            {0x2156, "2/5"},
                                                                            {0x2157, "3/5"},
                                                                            {0x2158, "4/5"},
                                                                            {0x2159, "1/6"},
                                                                            {0x215a, "5/6"},
                                                                            {0x215b, "1/8"},
                                                                            {0x215c, "3/8"},
                                                                            {0x215d, "5/8"},
                                                                            {0x215e, "7/8"},
                                                                            {0x2189, "0/3"}}};

std::string_view fraction_of(char32_t character) {
  for (const auto& [sign, text] : kFractions) {
    if (sign == character) return text;
  }
  return {};
}

char persian_sign(char32_t character) {
  switch (character) {
    case 0x66a:
      return '%';
    case 0x66b:
      return '.';
    case 0x60c:
    case 0x66c:
      return ',';
    default:
      return '\0';
  }
}

/// Signs count only beside digits: «٬» elsewhere is not ours.
bool between_digits(std::string_view out, std::string_view text, size_t next) {
  return !out.empty() && is_digit(out.back()) && digit_value(character_at(text, next)) >= 0;
}

void append_folded(std::string& out, std::string_view text, size_t start, size_t next) {
  const char32_t character = character_at(text, start);
  const int digit = digit_value(character);
  const char sign = persian_sign(character);
  const auto fraction = fraction_of(character);
  const bool quote = character == 0x2018 || character == 0x2019;
  if (quote && digit_value(character_at(text, next)) >= 0) {
    out += '\'';
  } else if (digit >= 0) {
    out += static_cast<char>('0' + digit);
  } else if (sign == '%' || (sign != '\0' && between_digits(out, text, next))) {
    out += sign;
  } else if (!fraction.empty()) {
    if (word_ends_before(out, out.size())) out += ' ';
    out += fraction;
    if (digit_value(character_at(text, next)) >= 0) out += ' ';
  } else {
    out.append(text.substr(start, next - start));
  }
}

size_t group_end(std::string_view text, size_t at, char group) {
  if (byte_at(text, at) != group) return 0;
  const size_t end = skip_digits(text, at + 1);
  return end == at + 4 ? end : 0;
}

}  // namespace

uint64_t to_value(std::string_view digits) {
  uint64_t value = 0;
  for (const char c : digits)
    value = value * 10 + static_cast<uint64_t>(c - '0');
  return value;
}

uint64_t Numeral::value() const {
  return to_value(whole);
}

Numeral parse_numeral(std::string_view text, size_t at, Separators separators) {
  Numeral numeral;
  size_t end = skip_digits(text, at);
  numeral.whole = text.substr(at, end - at);
  if (end > at && end - at <= 3 && text[at] != '0') {
    for (size_t next = group_end(text, end, separators.group); next != 0;
         next = group_end(text, end, separators.group)) {
      numeral.whole += text.substr(end + 1, 3);
      numeral.grouped = true;
      end = next;
    }
  }
  if (byte_at(text, end) == separators.decimal && is_digit(byte_at(text, end + 1))) {
    const size_t stop = skip_digits(text, end + 1);
    numeral.decimals = text.substr(end + 1, stop - end - 1);
    end = stop;
  }
  numeral.end = end > at ? end : 0;
  return numeral;
}

std::string fold_digits(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t start = at;
    if (!is_beyond_ascii(text[at])) {
      out += text[at++];
      continue;
    }
    decode_utf8(text, at);
    append_folded(out, text, start, at);
  }
  return out;
}

bool has_digits(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    at = skip_plain(text, at);
    if (is_digit(byte_at(text, at))) return true;
    if (at == text.size()) break;
    if (!is_beyond_ascii(text[at])) {
      ++at;
      continue;
    }
    const char32_t character = decode_utf8(text, at);
    if (character > 0xbe && character < 0x600) continue;
    if (digit_value(character) >= 0 || !fraction_of(character).empty()) return true;
  }
  return false;
}

}  // namespace seda::text
