// SPDX-License-Identifier: Apache-2.0
#include "seda/config/detail/parsed_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "seda/base/ascii.h"

namespace seda::config::detail {
namespace {

constexpr double kExactIntegers = 9007199254740992.0;  // 2^53

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
  return text;
}

size_t skip_digits(std::string_view text, size_t at) {
  while (at < text.size() && is_digit(text[at]))
    ++at;
  return at;
}

/// Offset after `e-4` at `at`; `at` itself where there is no exponent.
size_t skip_exponent(std::string_view text, size_t at) {
  if (at >= text.size() || (text[at] != 'e' && text[at] != 'E')) return at;
  size_t digits = at + 1;
  if (digits < text.size() && (text[digits] == '+' || text[digits] == '-')) ++digits;
  const size_t end = skip_digits(text, digits);
  return end > digits ? end : at;
}

/// [-+]? ( [0-9]+ ( \. [0-9]* )? | \. [0-9]+ ) ( [eE] [-+]? [0-9]+ )?
bool is_decimal(std::string_view text) {
  const std::string_view body = without_sign(text);
  size_t at = skip_digits(body, 0);
  size_t digits = at;
  if (at < body.size() && body[at] == '.') {
    const size_t fraction = at + 1;
    at = skip_digits(body, fraction);
    digits += at - fraction;
  }
  return digits > 0 && skip_exponent(body, at) == body.size();
}

bool has_leading_zero(std::string_view text) {
  const std::string_view body = without_sign(text);
  return body.size() > 1 && body[0] == '0' && is_digit(body[1]);
}

bool is_other_base(std::string_view text) {
  const std::string_view body = without_sign(text);
  return body.size() > 2 && body[0] == '0' &&
         std::string_view("xXoObB").find(body[1]) != std::string_view::npos;
}

bool is_not_finite(std::string_view text) {
  const std::string word = lower_ascii(without_sign(text));
  constexpr std::array<std::string_view, 5> kWords = {"inf", ".inf", "infinity", "nan", ".nan"};
  return std::ranges::find(kWords, word) != kWords.end();
}

std::string without(std::string_view text, char unwanted) {
  std::string out(text);
  std::erase(out, unwanted);
  return out;
}

/// Arabic-Indic (U+0660…) and Persian (U+06F0…) digits as 0 to 9; all else as it is.
std::string latin_digits(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const unsigned next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0u;
    const unsigned first = lead == 0xd9 ? 0xa0 : 0xb0;
    if ((lead == 0xd9 || lead == 0xdb) && next >= first && next < first + 10) {
      out += static_cast<char>('0' + (next - first));
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string without_leading_zeros(std::string_view text) {
  const std::string_view body = without_sign(text);
  const size_t keep = std::min(body.find_first_not_of('0'), body.size() - 1);
  const std::string_view sign = text.substr(0, text.size() - body.size());
  return std::string(sign) + (is_digit(body[keep]) ? "" : "0") + std::string(body.substr(keep));
}

/// Why text that is no plain decimal number was refused.
std::string cure_of(std::string_view text) {
  if (is_not_finite(text)) return "the number must be finite";
  if (is_other_base(text)) return "write it in decimal";
  const std::string joined = without(text, '_');
  if (joined != text && is_decimal(joined)) return "write it without underscores: " + joined;
  const std::string latin = latin_digits(text);
  if (latin != text && is_decimal(latin)) return "write it with the digits 0 to 9: " + latin;
  return "";
}

template <typename T>
std::from_chars_result convert(std::string_view text, T& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return std::from_chars(text.data(), text.data() + text.size(), value);
}

}  // namespace

ParsedNumber<double> read_number(std::string_view text) {
  if (!is_decimal(text)) return {.value = {}, .cure = cure_of(text)};
  if (has_leading_zero(text)) {
    return {
        .value = {},
        .cure = fmt::format("write it without the leading zero: {}", without_leading_zeros(text))};
  }
  double value = 0;
  if (convert(text, value).ec == std::errc()) return {.value = value, .cure = ""};
  return {.value = {}, .cure = "it is beyond what a number can hold"};
}

ParsedNumber<int64_t> read_integer(std::string_view text) {
  const bool digits_only = skip_digits(without_sign(text), 0) == without_sign(text).size();
  const auto number = read_number(text);
  if (!number.value) return {.value = {}, .cure = number.cure};
  int64_t value = 0;
  if (digits_only) {
    if (convert(text, value).ec == std::errc()) return {.value = value, .cure = ""};
    return {.value = {}, .cure = "it is beyond what an integer can hold"};
  }
  if (std::abs(*number.value) > kExactIntegers)
    return {.value = {}, .cure = "write all its digits"};
  if (std::trunc(*number.value) != *number.value)
    return {.value = {}, .cure = "write it without a fraction"};
  return {.value = static_cast<int64_t>(*number.value), .cure = ""};
}

}  // namespace seda::config::detail
