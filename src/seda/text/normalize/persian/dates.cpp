// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "seda/text/normalize/persian/readers.h"
#include "seda/text/normalize/persian/words.h"

namespace seda::text::persian {
namespace {

constexpr std::array<std::string_view, 12> kSolar{"فروردین", "اردیبهشت", "خرداد", "تیر",
                                                  "مرداد",   "شهریور",   "مهر",   "آبان",
                                                  "آذر",     "دی",       "بهمن",  "اسفند"};
constexpr std::array<std::string_view, 12> kGregorian{"ژانویه",  "فوریه", "مارس",   "آوریل",
                                                      "مه",      "ژوئن",  "ژوئیه",  "اوت",
                                                      "سپتامبر", "اکتبر", "نوامبر", "دسامبر"};
constexpr std::array<std::string_view, 16> kOtherMonths{"محرم",
                                                        "صفر",
                                                        "شعبان",
                                                        "رمضان",
                                                        "شوال",
                                                        "رجب",
                                                        "ذی‌القعده",
                                                        "ذی‌الحجه",
                                                        "امرداد",
                                                        "آگوست",
                                                        "جولای",
                                                        "ژانویهٔ",
                                                        "ژوئیهٔ",
                                                        "فوریهٔ",
                                                        "ژانویۀ",
                                                        "فوریۀ"};

struct Date {
  uint64_t year = 0;
  uint64_t month = 0;
  uint64_t day = 0;

  bool is_real() const {
    return month >= 1 && month <= 12 && day >= 1 && day <= 31 && year >= 1000 && year <= 2100;
  }
  std::string_view month_name() const { return (year < 1500 ? kSolar : kGregorian)[month - 1]; }
};

/// The day of a month: the first is «اول».
std::string day_words(uint64_t day) {
  return day == 1 ? "اول" : ordinal(day);
}

struct Triple {
  std::array<std::string_view, 3> parts;
  char separator = '\0';
  size_t end = 0;
};

Triple triple_at(const NumberText& text, size_t at) {
  Triple triple;
  const char separator = text.at(skip_digits(text.text, at));
  triple.separator = separator;
  if (separator != '/' && separator != '-' && separator != '.') return {};
  for (size_t i = 0; i < 3; ++i) {
    const size_t end = skip_digits(text.text, at);
    if (end == at || end - at > 4) return {};
    triple.parts[i] = text.text.substr(at, end - at);
    triple.end = end;
    if (i < 2 && text.at(end) != separator) return {};
    at = end + 1;
  }
  const bool goes_on = text.at(triple.end) == separator && is_digit(text.at(triple.end + 1));
  return goes_on ? Triple{} : triple;
}

/// «99/5/12», «12/5/99»: years of the last century, by their last two digits; no day is as high.
Date short_date_of(const Triple& triple) {
  constexpr uint64_t kMostDays = 31;
  constexpr uint64_t kCentury = 1300;
  const auto& [first, second, third] = triple.parts;
  if (triple.separator != '/' || first.size() > 2 || third.size() > 2) return {};
  const uint64_t begin = to_value(first);
  const uint64_t end = to_value(third);
  if (begin > kMostDays) return {kCentury + begin, to_value(second), end};
  return end > kMostDays ? Date{kCentury + end, to_value(second), begin} : Date{};
}

Date date_of(const Triple& triple) {
  const auto& [first, second, third] = triple.parts;
  if (first.size() == 4) return {to_value(first), to_value(second), to_value(third)};
  if (third.size() != 4) return short_date_of(triple);
  const Date by_day{to_value(third), to_value(second), to_value(first)};
  const Date by_month{to_value(third), to_value(first), to_value(second)};
  return by_day.is_real() ? by_day : by_month;
}

/// «17 مرداد»: the name of a month, to the end of the word.
bool is_month_at(const NumberText& text, size_t at) {
  const auto is_here = [&](std::string_view month) {
    return text.has(at, month) && text.is_end(at + month.size());
  };
  for (const auto& months : {kSolar, kGregorian}) {
    for (const auto month : months) {
      if (is_here(month)) return true;
    }
  }
  for (const auto month : kOtherMonths) {
    if (is_here(month) && month != "صفر") return true;
  }
  return false;
}

/// Short months' names are words of their own; a year or «ماه» after them makes them months.
bool is_certain(const NumberText& text, size_t at) {
  for (const std::string_view word : {"مهر", "تیر", "دی", "مه", "مارس"}) {
    if (!text.has(at, word) || !text.is_end(at + word.size())) continue;
    const size_t after = at + word.size();
    const size_t next = skip_space(text.text, after);
    const bool year = is_digit(text.at(next));
    const bool named = text.has(next, "ماه") || text.has(next, "سال");
    return year || named || text.at(after) != ' ';
  }
  return true;
}

}  // namespace

size_t read_numeric_date(const NumberText& text, size_t at, std::string& words) {
  if (!is_digit(text.at(at)) || !text.is_start(at)) return 0;
  const Triple triple = triple_at(text, at);
  if (triple.end == 0 || !text.is_end(triple.end)) return 0;
  const Date date = date_of(triple);
  if (!date.is_real()) return 0;
  words = day_words(date.day);
  append_word(words, date.month_name());
  const bool whole = triple.parts[0].size() == 4 || triple.parts[2].size() == 4;
  append_word(words, cardinal(whole ? date.year : date.year % 100));
  return triple.end;
}

size_t read_day(const NumberText& text, size_t at, std::string& words) {
  if (!is_digit(text.at(at)) || !text.is_start(at)) return 0;
  const size_t end = skip_digits(text.text, at);
  if (end - at > 2 || text.at(end) != ' ') return 0;
  const uint64_t day = to_value(text.text.substr(at, end - at));
  if (day < 1 || day > 31 || !is_month_at(text, end + 1) || !is_certain(text, end + 1)) return 0;
  words = day_words(day);
  return end;
}

size_t read_time(const NumberText& text, size_t at, std::string& words) {
  if (!is_digit(text.at(at)) || !text.is_start(at)) return 0;
  const size_t middle = skip_digits(text.text, at);
  const size_t end = skip_digits(text.text, middle + 1);
  if (middle - at > 3 || text.at(middle) != ':' || end == middle + 1 || end - middle > 4) return 0;
  const uint64_t hour = to_value(text.text.substr(at, middle - at));
  const uint64_t minute = to_value(text.text.substr(middle + 1, end - middle - 1));
  words = cardinal(hour);
  if (end != middle + 3 || hour > 24 || minute > 59) {
    append_word(words, "به");
    append_word(words, cardinal(minute));
    return end;
  }
  const bool named = word_before(text.text, at).ends_with("ساعت");
  if (minute == 0 && !named) words.insert(0, "ساعت ");
  if (minute != 0) words.append(" و ").append(cardinal(minute)).append(" دقیقه");
  const size_t stop = skip_digits(text.text, end + 1);
  if (text.at(end) != ':' || stop != end + 3) return end;
  const uint64_t second = to_value(text.text.substr(end + 1, 2));
  if (second != 0) words.append(" و ").append(cardinal(second)).append(" ثانیه");
  return stop;
}

}  // namespace seda::text::persian
