// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "seda/text/normalize/english/english.h"
#include "seda/text/normalize/english/readers.h"
#include "seda/text/normalize/scan.h"

namespace seda::text::english {
namespace {

/// When an abbreviation is what it seems.
enum class When {
  always,
  before_name,     ///< A capitalised word follows.
  before_number,   ///< A digit follows.
  before_numeral,  ///< A digit or a Roman numeral follows.
  after_name,      ///< A capitalised word or a street's number stands before.
  before_date,     ///< A digit, a month, a comma or a dash follows.
};

struct Abbreviation {
  std::string_view written;
  std::string_view spoken;
  When when;
};

constexpr std::array<Abbreviation, 84> kAbbreviations{{
    {"Adm", "Admiral", When::before_name},
    {"Apr", "April", When::before_date},
    {"Assn", "Association", When::after_name},
    {"Aug", "August", When::before_date},
    {"Ave", "Avenue", When::after_name},
    {"Blvd", "Boulevard", When::after_name},
    {"Bros", "Brothers", When::after_name},
    {"Capt", "Captain", When::before_name},
    {"Ch", "Chapter", When::before_numeral},
    {"Cmdr", "Commander", When::before_name},
    {"Co", "Company", When::after_name},
    {"Col", "Colonel", When::before_name},
    {"Corp", "Corporation", When::after_name},
    {"Cpl", "Corporal", When::before_name},
    {"Dec", "December", When::before_date},
    {"Dept", "Department", When::always},
    {"Det", "Detective", When::before_name},
    {"Dr", "Doctor", When::before_name},
    {"Drs", "Doctors", When::before_name},
    {"Esq", "Esquire", When::always},
    {"Feb", "February", When::before_date},
    {"Fig", "Figure", When::before_numeral},
    {"Figs", "Figures", When::before_number},
    {"Fri", "Friday", When::before_date},
    {"Ft", "Fort", When::before_name},
    {"Gen", "General", When::before_name},
    {"Gov", "Governor", When::before_name},
    {"Hon", "Honorable", When::before_name},
    {"Hwy", "Highway", When::always},
    {"Inc", "Incorporated", When::always},
    {"Insp", "Inspector", When::before_name},
    {"Jan", "January", When::before_date},
    {"Jr", "Junior", When::after_name},
    {"Jul", "July", When::before_date},
    {"Jun", "June", When::before_date},
    {"Ln", "Lane", When::after_name},
    {"Lt", "Lieutenant", When::before_name},
    {"Ltd", "Limited", When::always},
    {"Maj", "Major", When::before_name},
    {"Mar", "March", When::before_date},
    {"Messrs", "Messieurs", When::before_name},
    {"Mon", "Monday", When::before_date},
    {"Mr", "Mister", When::always},
    {"Mrs", "Missus", When::always},
    {"Ms", "Ms", When::always},
    {"Mt", "Mount", When::before_name},
    {"Mts", "Mountains", When::after_name},
    {"No", "number", When::before_number},
    {"Nos", "numbers", When::before_number},
    {"Nov", "November", When::before_date},
    {"Oct", "October", When::before_date},
    {"Pres", "President", When::before_name},
    {"Prof", "Professor", When::before_name},
    {"Pvt", "Private", When::before_name},
    {"Rd", "Road", When::after_name},
    {"Rep", "Representative", When::before_name},
    {"Rev", "Reverend", When::before_name},
    {"Sat", "Saturday", When::before_date},
    {"Sen", "Senator", When::before_name},
    {"Sep", "September", When::before_date},
    {"Sept", "September", When::always},
    {"Sgt", "Sergeant", When::before_name},
    {"Sq", "Square", When::after_name},
    {"Sr", "Senior", When::after_name},
    {"St", "Saint", When::before_name},
    {"Sts", "Saints", When::before_name},
    {"Supt", "Superintendent", When::before_name},
    {"Thu", "Thursday", When::before_date},
    {"Thurs", "Thursday", When::always},
    {"Tue", "Tuesday", When::before_date},
    {"Tues", "Tuesday", When::always},
    {"Vol", "Volume", When::before_numeral},
    {"Wed", "Wednesday", When::before_date},
    {"approx", "approximately", When::always},
    {"ch", "chapter", When::before_numeral},
    {"dept", "department", When::always},
    {"etc", "et cetera", When::always},
    {"fig", "figure", When::before_number},
    {"no", "number", When::before_number},
    {"p", "page", When::before_number},
    {"pp", "pages", When::before_number},
    {"viz", "namely", When::always},
    {"vol", "volume", When::before_numeral},
    {"vs", "versus", When::always},
}};
static_assert(std::ranges::is_sorted(kAbbreviations, {}, &Abbreviation::written));

const Abbreviation* find(std::string_view word) {
  const auto found = std::ranges::lower_bound(kAbbreviations, word, {}, &Abbreviation::written);
  return found != kAbbreviations.end() && found->written == word ? &*found : nullptr;
}

/// A word before or after which something is decided.
struct Place {
  std::string_view text;
  size_t start;  ///< Of the abbreviation.
  size_t end;    ///< Past its point.

  char next() const { return byte_at(text, skip_space(text, end)); }
  bool before_name() const { return end < text.size() && text[end] == ' ' && is_upper(next()); }
  bool before_number() const { return is_digit(next()); }
  bool before_roman() const {
    const auto word = letters_at(text, skip_space(text, end));
    return !word.empty() && word.find_first_not_of("IVXLC") == std::string_view::npos;
  }
  bool after_name() const;
  bool before_date() const;
};

/// A word with which a sentence is likely to begin: "The", "He", "But".
bool begins_sentences(std::string_view word) {
  static constexpr std::array<std::string_view, 44> kStarters{
      "A",     "After", "All",  "An",  "And", "As",   "At",   "But",  "By",    "For",  "From",
      "He",    "Her",   "His",  "How", "I",   "If",   "In",   "It",   "Its",   "My",   "No",
      "Now",   "On",    "Our",  "She", "So",  "Some", "That", "The",  "Their", "Then", "There",
      "These", "They",  "This", "To",  "Was", "We",   "What", "When", "Where", "Who",  "You"};
  static_assert(std::ranges::is_sorted(kStarters));
  return is_among(kStarters, word);
}

/// "Main", "42nd", "&": what streets and firms are called by.
bool Place::after_name() const {
  if (start < 2 || (text[start - 1] != ' ')) return false;
  const size_t before = text[start - 2] == ',' ? start - 2 : start - 1;
  if (byte_at(text, before - 1) == '&' || byte_at(text, before - 1) == '.') return true;
  size_t first = before;
  while (first > 0 && before - first < kLongestWord &&
         (is_letter(text[first - 1]) || is_digit(text[first - 1]) ||
          is_beyond_ascii(text[first - 1]) || text[first - 1] == '\''))
    --first;
  if (first == before || begins_sentences(text.substr(first, before - first))) return false;
  return is_upper(text[first]) || is_digit(text[first]);
}

bool Place::before_date() const {
  if (before_number() || byte_at(text, end) == ',' || dash_at(text, end) != 0) return true;
  return month_number(letters_at(text, skip_space(text, end))) != 0;
}

bool holds(const Place& place, When when) {
  switch (when) {
    case When::always:
      return true;
    case When::before_name:
      return place.before_name();
    case When::before_number:
      return place.before_number();
    case When::before_numeral:
      return place.before_number() || place.before_roman();
    case When::after_name:
      return place.after_name();
    case When::before_date:
      return place.before_date();
  }
  return false;
}

/// "St." and "Dr." after a street's name, where no name follows.
std::string_view street(const Place& place, std::string_view word) {
  if (word != "St" && word != "Dr") return {};
  const auto next = letters_at(place.text, skip_space(place.text, place.end));
  const bool free = !place.before_name() || begins_sentences(next);
  if (!free || !place.after_name()) return {};
  return word == "St" ? "Street" : "Drive";
}

/// What is spoken; empty where the word stays.
struct Expansion {
  std::string_view spoken;
  bool title = false;  ///< Its point never ends a sentence that goes on.
};

Expansion expansion_of(const Place& place, std::string_view word) {
  const auto way = street(place, word);
  if (!way.empty()) return {way};
  const Abbreviation* found = find(word);
  if (found == nullptr || !holds(place, found->when)) return {};
  const bool title =
      found->when == When::before_name || word == "Mr" || word == "Mrs" || word == "Ms";
  return {found->spoken, title};
}

/// Abbreviations with points inside, by the text that stands at their place.
struct Dotted {
  std::string_view written;
  std::string_view spoken;
};
constexpr std::array<Dotted, 10> kDotted{{{"w/o", "without"},
                                          {"w/", "with"},
                                          {"e.g.", "for example"},
                                          {"E.g.", "For example"},
                                          {"i.e.", "that is"},
                                          {"I.e.", "That is"},
                                          {"Ph.D.", "P H D"},
                                          {"PhD", "P H D"},
                                          {"q.v.", "which see"},
                                          {"cf.", "compare"}}};

const Dotted* dotted_at(std::string_view text, size_t at) {
  for (const Dotted& entry : kDotted) {
    const bool stands = has_at(text, at, entry.written);
    if (stands && !word_begins_at(text, at + entry.written.size())) return &entry;
  }
  return nullptr;
}

/// "Mr Smith": titles that are also written without a point.
bool goes_without_point(std::string_view word, const Place& place) {
  return (word == "Mr" || word == "Mrs" || word == "Dr") && place.before_name();
}

/// Appends what is spoken for the word at `at`; returns where it ends, or 0 where it stays.
size_t expand_at(std::string_view text, size_t at, std::string& out) {
  if (const Dotted* dotted = dotted_at(text, at)) {
    const size_t end = at + dotted->written.size();
    out += dotted->spoken;
    if (dotted->written.ends_with('.') && ends_sentence(text, end)) out += '.';
    return end;
  }
  const auto word = letters_at(text, at);
  const size_t point = at + word.size();
  const bool pointed = byte_at(text, point) == '.';
  const Place place{text, at, pointed ? point + 1 : point};
  if (!pointed && !goes_without_point(word, place)) return 0;
  const Expansion expansion = expansion_of(place, word);
  if (expansion.spoken.empty()) return 0;
  out += expansion.spoken;
  const bool titled = expansion.title && place.before_name();
  if (pointed && !titled && ends_sentence(text, place.end)) out += '.';
  return place.end;
}

}  // namespace

bool ends_sentence(std::string_view text, size_t at) {
  while (at < text.size() && std::string_view("\"')]").find(text[at]) != std::string_view::npos)
    ++at;
  if (at >= text.size() || (text[at] == ' ' && at + 1 >= text.size())) return true;
  return text[at] == ' ' && begins_sentences(letters_at(text, at + 1));
}

void expand_abbreviations(std::string_view text, std::string& out) {
  for (size_t at = 0; at < text.size();) {
    const bool starts = is_letter(text[at]) && !word_ends_before(text, at);
    const size_t end = starts ? expand_at(text, at, out) : 0;
    if (end != 0) {
      at = end;
      if (word_begins_at(text, at)) out += ' ';
      continue;
    }
    at = append_as_is(out, text, at, starts);
  }
}

}  // namespace seda::text::english
