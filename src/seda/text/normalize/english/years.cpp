// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "seda/base/ascii.h"
#include "seda/text/normalize/english/readers.h"
#include "seda/text/normalize/english/words.h"

namespace seda::text::english {
namespace {

constexpr std::array<std::string_view, 6> kEras{"AD", "B.C", "BC", "BCE", "CE", "A.D"};

/// "BC" or "B.C." after a number.
bool has_era(const NumberText& text, size_t at) {
  const size_t start = skip_space(text.text, at);
  return std::ranges::any_of(kEras, [&](std::string_view era) {
    return text.has(start, era) && text.is_end(start + era.size());
  });
}

constexpr std::array<std::string_view, 36> kBeforeYears{
    "after",  "around", "autumn",   "before",  "between", "by",     "century", "circa", "class",
    "during", "early",  "election", "fall",    "from",    "in",     "late",    "mid",   "model",
    "of",     "on",     "or",       "season",  "since",   "spring", "summer",  "the",   "through",
    "till",   "to",     "until",    "vintage", "war",     "winter", "year",    "years", "and"};

bool is_before_years(std::string_view word) {
  return std::ranges::find(kBeforeYears, word) != kBeforeYears.end();
}

/// Words that end like plurals, and verbs of which a year may be the subject.
bool is_no_plural(std::string_view word) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"afterwards", "always",  "begins",  "besides", "brings", "comes",     "does",
       "ends",       "gives",   "goes",    "marks",   "means",  "minus",     "perhaps",
       "plus",       "remains", "seems",   "sees",    "shows",  "sometimes", "starts",
       "this",       "thus",    "towards", "versus"});
  static_assert(std::ranges::is_sorted(kWords));
  return is_among(kWords, word);
}

/// "1500 people", "1200 of them": a count, unless what stands before says otherwise.
bool counts_things(const NumberText& text, size_t end) {
  if (text.at(end) != ' ' || !is_lower(text.at(end + 1))) return false;
  const auto next = letters_at(text.text, end + 1);
  if (next == "people" || next == "men" || next == "women" || next == "children") return true;
  return next.size() > 3 && next.ends_with('s') && !next.ends_with("ss") && !is_no_plural(next);
}

bool is_year(const NumberText& text, size_t at, size_t end, uint64_t value) {
  if (has_era(text, end)) return true;
  if (value < 1000 || value > 2099) return false;
  const auto before = lower_ascii(word_before(text.text, at));
  if (counts_things(text, end)) return false;
  if (find_unit(text, skip_space(text.text, end))) return false;
  return value >= 1100 || is_before_years(before) || month_number(word_before(text.text, at)) != 0;
}

/// "-06" after "1905".
size_t append_short_end(const NumberText& text, size_t end, std::string& words) {
  const size_t dash = dash_at(text.text, end);
  const size_t start = end + dash;
  if (dash == 0 || skip_digits(text.text, start) != start + 2 || !text.is_end(start + 2))
    return end;
  append_word(words, "to");
  append_word(words, pair(to_value(text.text.substr(start, 2))));
  return start + 2;
}

/// Past "s" or "'s" that makes a number a decade.
size_t plural_end(const NumberText& text, size_t at) {
  const size_t s = text.at(at) == '\'' ? at + 1 : at;
  return text.at(s) == 's' && text.is_end(s + 1) ? s + 1 : 0;
}

std::string decade(uint64_t value) {
  if (value >= 1000 && value % 100 != 0)
    return cardinal(value / 100) + " " + plural(cardinal(value % 100));
  return plural(value < 100 ? cardinal(value) : year(value));
}

size_t read_after_apostrophe(const NumberText& text, size_t at, std::string& words) {
  const size_t end = skip_digits(text.text, at + 1);
  if (end != at + 3) return 0;
  const uint64_t value = to_value(text.text.substr(at + 1, 2));
  const size_t plural = plural_end(text, end);
  if (plural != 0 && value % 10 == 0 && value > 0) {
    words = decade(value);
    return plural;
  }
  const auto before = lower_ascii(word_before(text.text, at));
  if (!text.is_end(end) || text.at(end) == '\'' || !is_before_years(before)) return 0;
  words = pair(value);
  return end;
}

}  // namespace

size_t read_decade(const NumberText& text, size_t at, std::string& words) {
  if (!text.is_start(at)) return 0;
  if (text.at(at) == '\'' && is_digit(text.at(at + 1)))
    return read_after_apostrophe(text, at, words);
  const size_t end = skip_digits(text.text, at);
  if (end == at || end - at > 4) return 0;
  const uint64_t value = to_value(text.text.substr(at, end - at));
  const size_t stop = plural_end(text, end);
  if (stop == 0 || value == 0 || value % 10 != 0) return 0;
  words = decade(value);
  return stop;
}

size_t read_year(const NumberText& text, size_t at, std::string& words) {
  if (!is_digit(text.at(at)) || !text.is_start(at) || text.at(at) == '0') return 0;
  const size_t end = skip_digits(text.text, at);
  if (end - at > 4 || !text.is_end(end) || end - at < 3) return 0;
  const bool decimal = (text.at(end) == '.' || text.at(end) == ',') && is_digit(text.at(end + 1));
  const uint64_t value = to_value(text.text.substr(at, end - at));
  const bool code =
      at > 0 && std::string_view("+=<>*/#").find(text.at(at - 1)) != std::string_view::npos;
  if (decimal || code || !is_year(text, at, end, value)) return 0;
  words = year(value);
  return append_short_end(text, end, words);
}

}  // namespace seda::text::english
