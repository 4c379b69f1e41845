// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "seda/text/normalize/persian/readers.h"
#include "seda/text/normalize/persian/words.h"

namespace seda::text::persian {
namespace {

constexpr size_t kLongestPhone = 22;

struct Run {
  size_t digits = 0;
  size_t groups = 0;
  size_t end = 0;
};

/// Digits in groups with one space, dash or closing bracket between them.
Run run_at(const NumberText& text, size_t at) {
  Run run;
  for (size_t place = at; place < at + kLongestPhone;) {
    const size_t stop = skip_digits(text.text, place);
    if (stop == place || stop - place > 15) break;
    run.digits += stop - place;
    run.end = stop;
    ++run.groups;
    place = stop;
    if (text.at(place) == ')') ++place;
    if (text.at(place) == '-' || text.at(place) == ' ') ++place;
    if (place == stop) break;
  }
  return run;
}

/// «شماره», «تلفن»: then any number is read digit by digit.
bool is_announced(const NumberText& text, size_t at) {
  const size_t colon = at > 1 && text.at(at - 1) == ' ' && text.at(at - 2) == ':' ? at - 2 : at;
  const auto before = word_before(text.text, colon);
  for (const std::string_view word : {"تلفن", "تلفکس", "فکس", "نمابر", "همراه", "موبایل"}) {
    if (before.ends_with(word)) return true;
  }
  return false;
}

bool is_phone(const NumberText& text, size_t at, const Run& run) {
  const bool zero = text.at(at) == '0' && text.at(at + 1) != '.';
  if (zero && run.digits >= 10 && run.digits <= 12) return true;
  return is_announced(text, at) && run.digits >= 5 && run.digits <= 12;
}

}  // namespace

size_t read_phone(const NumberText& text, size_t at, std::string& words) {
  if (!text.is_start(at)) return 0;
  const bool plus = text.at(at) == '+';
  const bool bracket = text.at(at) == '(' && text.at(at + 1) == '0';
  const size_t start = at + (plus || bracket ? 1 : 0);
  if (!is_digit(text.at(start))) return 0;
  const Run run = run_at(text, start);
  const bool abroad = plus && run.digits >= 9 && run.digits <= 15;
  if (!abroad && !is_phone(text, start, run)) return 0;
  if (bracket && run.groups < 2) return 0;
  if (plus) words = "مثبت";
  append_word(words, digits(text.text.substr(start, run.end - start)));
  return run.end;
}

size_t read_groups(const NumberText& text, size_t at, std::string& words) {
  if (!is_digit(text.at(at)) || !text.is_start(at)) return 0;
  const size_t first = skip_digits(text.text, at);
  const char separator = text.at(first);
  if (separator != '.' && separator != '-') return 0;
  size_t end = first;
  size_t groups = 1;
  for (; text.at(end) == separator && is_digit(text.at(end + 1)); ++groups)
    end = skip_digits(text.text, end + 1);
  if (groups < 3) return 0;
  while (at < end) {
    const size_t stop = skip_digits(text.text, at);
    if (!words.empty() && separator == '.') append_word(words, "نقطه");
    append_word(words, number(parse_numeral(text.text.substr(at, stop - at), 0)));
    at = stop + 1;
  }
  return end;
}

}  // namespace seda::text::persian
