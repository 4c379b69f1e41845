// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "seda/base/ascii.h"
#include "seda/text/normalize/english/english.h"
#include "seda/text/normalize/english/words.h"
#include "seda/text/normalize/scan.h"

namespace seda::text::english {
namespace {

constexpr auto kNumbered = std::to_array<std::string_view>(
    {"Act",     "Appendix", "Apollo",   "Article",  "Battalion", "Book",   "Bowl",   "Canto",
     "Chapter", "Class",    "Corps",    "Division", "Episode",   "Figure", "Game",   "Grade",
     "Lesson",  "Level",    "Mark",     "Olympiad", "Part",      "Phase",  "Plate",  "Psalm",
     "Round",   "Scene",    "Schedule", "Season",   "Section",   "Stage",  "Stanza", "Table",
     "Tier",    "Title",    "Type",     "Unit",     "Verse",     "Volume", "War"});

constexpr std::array<std::string_view, 77> kRulers{
    "Abbas",     "Adrian",    "Alexander", "Alexandra",  "Alfonso",  "Artaxerxes",  "Augustus",
    "Baldwin",   "Benedict",  "Boniface",  "Callixtus",  "Carl",     "Carlos",      "Catherine",
    "Celestine", "Charles",   "Christian", "Clement",    "Conrad",   "Constantine", "Cyrus",
    "Darius",    "David",     "Edward",    "Elizabeth",  "Emmanuel", "Eugene",      "Ferdinand",
    "Francis",   "Frederick", "George",    "Gregory",    "Gustav",   "Haakon",      "Harald",
    "Henry",     "Honorius",  "Innocent",  "Isabella",   "Ivan",     "James",       "John",
    "Joseph",    "Juan",      "Julius",    "Justinian",  "Leo",      "Leopold",     "Louis",
    "Ludwig",    "Margaret",  "Mary",      "Maximilian", "Mehmed",   "Murad",       "Napoleon",
    "Nicholas",  "Olav",      "Otto",      "Paul",       "Pedro",    "Peter",       "Philip",
    "Pius",      "Ptolemy",   "Rameses",   "Ramses",     "Richard",  "Robert",      "Rudolf",
    "Selim",     "Sixtus",    "Stephen",   "Suleiman",   "Urban",    "Wilhelm",     "William"};

constexpr std::array<std::string_view, 12> kTitles{"Czar", "Emperor", "Empress", "Kaiser",
                                                   "King", "Pope",    "Prince",  "Queen",
                                                   "Shah", "Sultan",  "Tsar",    "Saint"};

template <size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

uint64_t digit_of(char c) {
  switch (c) {
    case 'I':
      return 1;
    case 'V':
      return 5;
    case 'X':
      return 10;
    case 'L':
      return 50;
    case 'C':
      return 100;
    case 'D':
      return 500;
    case 'M':
      return 1000;
    default:
      return 0;
  }
}

std::string to_roman(uint64_t value) {
  static constexpr std::array<std::pair<uint64_t, std::string_view>, 13> kParts{{{1000, "M"},
                                                                                 {900, "CM"},
                                                                                 {500, "D"},
                                                                                 {400, "CD"},
                                                                                 {100, "C"},
                                                                                 {90, "XC"},
                                                                                 {50, "L"},
                                                                                 {40, "XL"},
                                                                                 {10, "X"},
                                                                                 {9, "IX"},
                                                                                 {5, "V"},
                                                                                 {4, "IV"},
                                                                                 {1, "I"}}};
  std::string out;
  for (const auto& [unit, sign] : kParts) {
    for (; value >= unit; value -= unit)
      out += sign;
  }
  return out;
}

/// The value of a numeral in its one proper form; 0 for anything else.
uint64_t roman_value(std::string_view word) {
  if (word.empty() || word.size() > 15) return 0;
  uint64_t value = 0;
  for (size_t i = 0; i < word.size(); ++i) {
    const uint64_t here = digit_of(word[i]);
    const uint64_t next = i + 1 < word.size() ? digit_of(word[i + 1]) : 0;
    if (here == 0) return 0;
    value = here < next ? value - here : value + here;
  }
  return value < 4000 && to_roman(value) == word ? value : 0;
}

/// A numeral in its line: what stands before and after decides how it is spoken.
struct Place {
  std::string_view text;
  size_t at;
  std::string_view word;

  size_t end() const { return at + word.size(); }
  /// Not in "C.I.A.", "d'I" or "X-Y".
  bool stands_alone() const {
    const bool dotted = byte_at(text, at + 1) == '.' && is_letter(byte_at(text, at + 2));
    const char left = at > 0 ? text[at - 1] : ' ';
    return !word_begins_at(text, end()) && !dotted && left != '.' && left != '\'' && left != '-';
  }
  std::string_view before() const {
    return at > 1 && text[at - 1] == ' ' ? letters_before(text, at - 1) : std::string_view();
  }
  std::string_view before_that() const {
    const size_t start = at - 1 - before().size();
    return start > 1 && text[start - 1] == ' ' ? letters_before(text, start - 1)
                                               : std::string_view();
  }
  std::string_view after() const { return letters_at(text, skip_space(text, end())); }
};

std::string capitalised(std::string_view word) {
  std::string copy(word);
  if (!copy.empty()) copy[0] = upper_ascii(copy[0]);
  return copy;
}

bool names_a_ruler(const Place& place) {
  if (!is_one_of(kRulers, place.before())) return false;
  if (place.word.size() > 1) return true;
  if (place.word != "I") return place.word == "V" || place.word == "X";
  const bool titled = is_one_of(kTitles, place.before_that());
  return titled || has_at(place.text, place.end(), "'s") || has_at(place.text, place.end(), " of ");
}

/// "Chapter IV", "part II"; "the part I played" is not one, and letters are no numbers.
bool is_numbered(const Place& place) {
  if (place.word == "I") return is_one_of(kNumbered, place.before());
  const bool letter = place.word.size() == 1 && place.word != "V" && place.word != "X";
  return !letter && is_one_of(kNumbered, capitalised(place.before()));
}

/// "Rocky III", "IV.": numerals of I, V and X alone, two letters or more.
bool is_plain_numeral(const Place& place) {
  return place.word.size() >= 2 && place.word.find_first_not_of("IVX") == std::string_view::npos;
}

/// The words for it; empty where it is none.
std::string spoken(const Place& place) {
  if (place.word == "WWI") return "World War one";
  if (place.word == "WWII") return "World War two";
  const uint64_t value = roman_value(place.word);
  if (value == 0) return {};
  if (is_numbered(place)) return cardinal(value);
  if (names_a_ruler(place)) return "the " + ordinal(value);
  if (!is_plain_numeral(place)) return {};
  if (place.after() == "century" || place.after() == "centuries") return ordinal(value);
  return cardinal(value);
}

}  // namespace

void speak_roman(std::string_view text, std::string& out) {
  for (size_t at = 0; at < text.size();) {
    const bool may_begin = digit_of(text[at]) != 0 || text[at] == 'W';
    if (!may_begin || word_ends_before(text, at)) {
      out += text[at++];
      continue;
    }
    const Place place{text, at, letters_at(text, at)};
    const std::string words = place.stands_alone() ? spoken(place) : std::string();
    out += words.empty() ? place.word : std::string_view(words);
    at = place.end();
  }
}

}  // namespace seda::text::english
