// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "seda/text/normalize/english/readers.h"
#include "seda/text/normalize/english/words.h"

namespace seda::text::english {
namespace {

/// Past exactly `count` digits; 0 where there are more or fewer.
size_t exactly(const NumberText& text, size_t at, size_t count) {
  const size_t end = skip_digits(text.text, at);
  return end == at + count ? end : 0;
}

/// Follows `shape`, in which a digit stands for that many digits and anything else for itself.
size_t follow(const NumberText& text, size_t at, std::string_view shape) {
  for (const char c : shape) {
    if (is_digit(c)) {
      at = exactly(text, at, static_cast<size_t>(c - '0'));
      if (at == 0) return 0;
    } else if (text.at(at++) != c) {
      return 0;
    }
  }
  const bool goes_on = text.at(at) == '-' && is_digit(text.at(at + 1));
  return text.is_end(at) && !goes_on ? at : 0;
}

constexpr std::array<std::string_view, 10> kShapes{"(3) 3-4",   "(3)3-4", "1-3-3-4", "3-3-4",
                                                   "3.3.4",     "3 3 4",  "3-4",     "(3) 3 4",
                                                   "1 (3) 3-4", "1 3 3 4"};

/// "+44 20 7946 0958": a plus and 7 to 15 digits in groups.
size_t international_end(const NumberText& text, size_t at) {
  size_t count = 0;
  size_t end = 0;
  for (size_t place = at + 1; place < at + 25; ++place) {
    const char c = text.at(place);
    if (is_digit(c)) {
      ++count;
      end = place + 1;
    } else if (c == '\0' || std::string_view(" -()").find(c) == std::string_view::npos) {
      break;
    }
  }
  return is_digit(text.at(at + 1)) && count >= 7 && count <= 15 && text.is_end(end) ? end : 0;
}

/// "020 7946 0958": a zero and nine or ten digits more, in groups.
size_t national_end(const NumberText& text, size_t at) {
  size_t count = 0;
  size_t end = at;
  for (size_t place = at; place < at + 16 && count < 11; ++place) {
    if (is_digit(text.at(place))) {
      ++count;
      end = place + 1;
    } else if (text.at(place) != ' ' || !is_digit(text.at(place + 1))) {
      break;
    }
  }
  return text.at(at) == '0' && count >= 10 && text.is_end(end) ? end : 0;
}

/// "1-800-" before a word.
size_t toll_free_end(const NumberText& text, size_t at) {
  const bool stands = text.at(at) == '1' && text.at(at + 1) == '-' &&
                      exactly(text, at + 2, 3) != 0 && text.at(at + 5) == '-';
  return stands && is_upper(text.at(at + 6)) ? at + 6 : 0;
}

size_t grouped_end(const NumberText& text, size_t at, char separator, size_t& groups) {
  size_t end = skip_digits(text.text, at);
  for (groups = 1; text.at(end) == separator && is_digit(text.at(end + 1)); ++groups)
    end = skip_digits(text.text, end + 1);
  return end;
}

void append_groups(const NumberText& text, size_t at, size_t end, std::string_view joint,
                   std::string& words) {
  while (at < end) {
    const size_t stop = skip_digits(text.text, at);
    const auto group = text.text.substr(at, stop - at);
    if (!words.empty() && !joint.empty()) append_word(words, joint);
    const bool named = group.size() <= (joint.empty() ? 2 : 3) && (group[0] != '0' || group == "0");
    append_word(words, named ? cardinal(to_value(group)) : digits(group));
    at = stop + 1;
  }
}

}  // namespace

size_t read_phone(const NumberText& text, size_t at, std::string& words) {
  if (!text.is_start(at)) return 0;
  size_t end = 0;
  if (text.at(at) == '+') {
    end = international_end(text, at);
    words = "plus";
  }
  if (end == 0) end = national_end(text, at);
  if (end == 0) end = toll_free_end(text, at);
  for (size_t i = 0; i < kShapes.size() && end == 0; ++i)
    end = follow(text, at, kShapes[i]);
  if (end == 0) return 0;
  append_word(words, digits(text.text.substr(at, end - at)));
  return end;
}

size_t read_groups(const NumberText& text, size_t at, std::string& words) {
  if (!is_digit(text.at(at))) return 0;
  for (const char separator : {'-', '.'}) {
    if (separator == '-' && !text.is_start(at)) continue;
    size_t groups = 0;
    const size_t end = grouped_end(text, at, separator, groups);
    if (groups < 3) continue;
    const std::string_view joint = separator == '-' ? "" : groups == 4 ? "dot" : "point";
    append_groups(text, at, end, joint, words);
    return end;
  }
  return 0;
}

}  // namespace seda::text::english
