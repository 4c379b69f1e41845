// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <optional>

#include "seda/base/ascii.h"
#include "seda/text/normalize/english/readers.h"
#include "seda/text/normalize/english/words.h"

namespace seda::text::english {
namespace {

constexpr std::array<std::string_view, 12> kMonths{"January",   "February", "March",    "April",
                                                   "May",       "June",     "July",     "August",
                                                   "September", "October",  "November", "December"};

std::string_view month_name(int number) {
  return kMonths[static_cast<size_t>(number - 1)];
}

struct Date {
  uint64_t year = 0;
  uint64_t month = 0;
  uint64_t day = 0;

  bool is_real() const { return month >= 1 && month <= 12 && day >= 1 && day <= 31; }
};

/// Three numbers with the same separator between them.
struct Triple {
  std::array<std::string_view, 3> parts;
  char separator = '\0';
  size_t end = 0;
};

Triple triple_at(const NumberText& text, size_t at) {
  Triple triple;
  for (size_t i = 0; i < 3; ++i) {
    const size_t end = skip_digits(text.text, at);
    if (end == at || end - at > 4) return {};
    triple.parts[i] = text.text.substr(at, end - at);
    triple.end = end;
    const char after = text.at(end);
    if (i == 2) break;
    if (i == 0) triple.separator = after;
    if (after != triple.separator || std::string_view("-/.").find(after) == std::string_view::npos)
      return {};
    at = end + 1;
  }
  const bool goes_on = text.at(triple.end) == triple.separator && is_digit(text.at(triple.end + 1));
  return goes_on ? Triple{} : triple;
}

std::optional<Date> year_first(const Triple& triple) {
  if (triple.parts[0].size() != 4 || triple.parts[1].size() > 2 || triple.parts[2].size() > 2)
    return std::nullopt;
  const Date date{to_value(triple.parts[0]), to_value(triple.parts[1]), to_value(triple.parts[2])};
  return date.is_real() ? std::optional(date) : std::nullopt;
}

std::optional<Date> year_last(const Triple& triple, bool british) {
  if (triple.parts[0].size() > 2 || triple.parts[1].size() > 2) return std::nullopt;
  const bool short_year = triple.parts[2].size() == 2 && triple.separator == '/';
  if (triple.parts[2].size() != 4 && !short_year) return std::nullopt;
  const uint64_t first = to_value(triple.parts[0]);
  const uint64_t second = to_value(triple.parts[1]);
  const uint64_t year = to_value(triple.parts[2]);
  const Date by_month{year, first, second};
  const Date by_day{year, second, first};
  const bool day_first = british || triple.separator == '.' || !by_month.is_real();
  const Date date = day_first && by_day.is_real() ? by_day : by_month;
  return date.is_real() ? std::optional(date) : std::nullopt;
}

/// ", 1998" or " 1998" after a day.
size_t append_year(const NumberText& text, size_t at, std::string& words) {
  const bool comma = text.at(at) == ',';
  const size_t start = skip_space(text.text, at + (comma ? 1 : 0));
  const size_t end = skip_digits(text.text, start);
  const bool separate = start > at && end == start + 4 && text.is_end(end);
  const bool decimal = text.at(end) == ',' && is_digit(text.at(end + 1));
  if (!separate || decimal || text.at(start) == '0') return at;
  words += comma ? "," : "";
  append_word(words, year(to_value(text.text.substr(start, 4))));
  return end;
}

/// A day of one or two digits, its suffix skipped.
struct Day {
  uint64_t value = 0;
  bool suffixed = false;
  size_t end = 0;
};

Day day_at(const NumberText& text, size_t at) {
  const size_t end = skip_digits(text.text, at);
  if (end == at || end - at > 2) return {};
  const uint64_t value = to_value(text.text.substr(at, end - at));
  if (value < 1 || value > 31) return {};
  const size_t suffix = ordinal_suffix_end(text, end);
  return {value, suffix != 0, suffix != 0 ? suffix : end};
}

/// "5 May 1998", "5th of May".
size_t read_day_first(const NumberText& text, const Day& day, size_t at, std::string& words) {
  if (text.at(day.end) != ' ') return 0;
  const bool of = text.has(day.end, " of ");
  const auto word = letters_at(text.text, day.end + (of ? 4 : 1));
  const int month = month_number(word);
  if (month == 0 || (of && !day.suffixed)) return 0;
  size_t end = day.end + (of ? 4 : 1) + word.size();
  if (text.at(end) == '.' && word.size() < month_name(month).size()) ++end;
  std::string year_words;
  const size_t year_end = append_year(text, end, year_words);
  const bool ambiguous = month == 3 || month == 5;
  if (ambiguous && !day.suffixed && year_end == end) return 0;
  const auto before = lower_ascii(word_before(text.text, at));
  if (!day.suffixed && before != "the") words = "the";
  append_word(words, ordinal(day.value));
  append_word(words, "of");
  append_word(words, month_name(month));
  if (!year_words.empty()) words.append(year_words[0] == ',' ? "" : " ").append(year_words);
  return year_end;
}

/// The day after "May", with a second one after a dash, and the year.
size_t read_month_first(const NumberText& text, const Day& day, std::string& words) {
  const bool time = text.at(day.end) == ':' && is_digit(text.at(day.end + 1));
  const bool more =
      (text.at(day.end) == '.' || text.at(day.end) == '/') && is_digit(text.at(day.end + 1));
  if (time || more || !text.is_end(day.end) || text.at(day.end) == '%') return 0;
  words = ordinal(day.value);
  size_t end = day.end;
  const size_t dash = dash_at(text.text, end);
  if (dash != 0) {
    const Day last = day_at(text, end + dash);
    if (last.end != 0 && text.is_end(last.end)) {
      append_word(words, "to");
      append_word(words, ordinal(last.value));
      end = last.end;
    }
  }
  return append_year(text, end, words);
}

}  // namespace

int month_number(std::string_view word) {
  for (size_t i = 0; i < kMonths.size(); ++i) {
    if (word == kMonths[i] || (word.size() == 3 && kMonths[i].starts_with(word)))
      return static_cast<int>(i) + 1;
  }
  return word == "Sept" ? 9 : 0;
}

size_t read_numeric_date(const NumberText& text, size_t at, std::string& words) {
  if (!is_digit(text.at(at)) || !text.is_start(at)) return 0;
  const Triple triple = triple_at(text, at);
  if (triple.end == 0) return 0;
  auto date = year_first(triple);
  if (!date) date = year_last(triple, text.british);
  const bool clock = text.at(triple.end) == 'T' && is_digit(text.at(triple.end + 1));
  if (!date || !(clock || text.is_end(triple.end))) return 0;
  words = month_name(static_cast<int>(date->month));
  append_word(words, ordinal(date->day));
  words.append(", ").append(date->year < 100 ? pair(date->year) : year(date->year));
  return triple.end + (clock ? 1 : 0);
}

size_t read_named_date(const NumberText& text, size_t at, std::string& words) {
  if (!is_digit(text.at(at)) || !text.is_start(at)) return 0;
  const Day day = day_at(text, at);
  if (day.end == 0) return 0;
  const bool after_month =
      at > 0 && text.at(at - 1) == ' ' && month_number(word_before(text.text, at)) != 0;
  if (after_month) return read_month_first(text, day, words);
  return read_day_first(text, day, at, words);
}

}  // namespace seda::text::english
