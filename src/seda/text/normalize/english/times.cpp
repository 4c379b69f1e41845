// SPDX-License-Identifier: Apache-2.0
#include "seda/text/normalize/english/english.h"
#include "seda/text/normalize/english/readers.h"
#include "seda/text/normalize/english/words.h"

namespace seda::text::english {
namespace {

/// "am", "a.m.", "PM", after a space or none; the words and where it ends.
struct HalfDay {
  std::string_view words;
  size_t end = 0;
};

HalfDay half_day_at(const NumberText& text, size_t at) {
  const bool spaced = text.at(at) == ' ';
  const size_t start = at + (spaced ? 1 : 0);
  const char first = text.at(start);
  const bool morning = first == 'a' || first == 'A';
  if (!morning && first != 'p' && first != 'P') return {};
  const auto is_m = [&](size_t place) { return text.at(place) == 'm' || text.at(place) == 'M'; };
  const std::string_view words = morning ? "a m" : "p m";
  if (text.at(start + 1) == '.' && is_m(start + 2) && text.is_end(start + 3)) {
    const bool point = text.at(start + 3) == '.';
    return {words, start + 3 + (point && !ends_sentence(text.text, start + 4) ? 1 : 0)};
  }
  if (!is_m(start + 1) || !text.is_end(start + 2)) return {};
  return {words, start + 2};
}

struct Clock {
  uint64_t hour = 0;
  uint64_t minute = 0;
  uint64_t second = 0;
  bool has_second = false;
  size_t end = 0;
};

uint64_t two_digits(const NumberText& text, size_t at) {
  return to_value(text.text.substr(at, 2));
}

bool is_pair(const NumberText& text, size_t at) {
  return skip_digits(text.text, at) == at + 2 && text.at(at) < '6';
}

Clock clock_at(const NumberText& text, size_t at) {
  const size_t end = skip_digits(text.text, at);
  const bool dotted = text.at(end) == '.' && half_day_at(text, end + 3).end != 0;  // "5.30pm"
  const bool parted = text.at(end) == ':' || dotted;
  if (end == at || end - at > 2 || !parted || !is_pair(text, end + 1)) return {};
  Clock clock{to_value(text.text.substr(at, end - at)), two_digits(text, end + 1), 0, false,
              end + 3};
  if (clock.hour > 24) return {};
  if (text.at(clock.end) == ':' && is_pair(text, clock.end + 1)) {
    clock.second = two_digits(text, clock.end + 1);
    clock.has_second = true;
    clock.end += 3;
  }
  return text.at(clock.end) == ':' && is_digit(text.at(clock.end + 1)) ? Clock{} : clock;
}

std::string spoken(const Clock& clock, bool half_day) {
  std::string words = cardinal(clock.hour);
  if (clock.minute != 0 || clock.has_second) {
    append_word(words, clock.minute == 0 ? "hundred" : pair(clock.minute));
  } else if (!half_day) {
    append_word(words, clock.hour >= 1 && clock.hour <= 12 ? "o'clock" : "hundred");
  }
  if (clock.has_second) {
    append_word(words, "and");
    append_word(words, cardinal(clock.second));
    append_word(words, clock.second == 1 ? "second" : "seconds");
  }
  return words;
}

/// "7 p.m.", "7am".
size_t read_hour(const NumberText& text, size_t at, std::string& words) {
  const size_t end = skip_digits(text.text, at);
  if (end - at > 2 || to_value(text.text.substr(at, end - at)) > 12) return 0;
  const HalfDay half = half_day_at(text, end);
  if (half.end == 0) return 0;
  words = cardinal(to_value(text.text.substr(at, end - at)));
  append_word(words, half.words);
  return half.end;
}

/// "3:2", "16:9", "100:1", "1:2:3".
size_t read_ratio(const NumberText& text, size_t at, std::string& words) {
  constexpr size_t kMostParts = 4;
  size_t end = at;
  for (size_t parts = 1;; ++parts) {
    const size_t start = end;
    end = skip_digits(text.text, start);
    if (end == start || end - start > 6 || parts > kMostParts) return 0;
    append_word(words, cardinal(to_value(text.text.substr(start, end - start)), text.british));
    if (text.at(end) != ':' || !is_digit(text.at(end + 1)))
      return parts > 1 && text.is_end(end) ? end : 0;
    append_word(words, "to");
    ++end;
  }
}

}  // namespace

size_t read_time(const NumberText& text, size_t at, std::string& words) {
  if (!is_digit(text.at(at)) || !text.is_start(at)) return 0;
  const Clock clock = clock_at(text, at);
  if (clock.end == 0) {
    const size_t hour = read_hour(text, at, words);
    return hour != 0 ? hour : read_ratio(text, at, words);
  }
  const HalfDay half = half_day_at(text, clock.end);
  if (half.end == 0 && !text.is_end(clock.end)) return 0;
  words = spoken(clock, half.end != 0);
  if (half.end == 0) return clock.end;
  append_word(words, half.words);
  return half.end;
}

}  // namespace seda::text::english
