// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "seda/text/normalize/english/english.h"
#include "seda/text/normalize/english/pronounceable.h"
#include "seda/text/normalize/scan.h"

namespace seda::text::english {
namespace {

constexpr size_t kLongestAcronym = 12;

void append_spelled(std::string& out, std::string_view letters) {
  for (size_t i = 0; i < letters.size(); ++i) {
    if (i > 0) out += ' ';
    out += letters[i];
  }
}

size_t upper_end(std::string_view text, size_t at) {
  while (is_upper(byte_at(text, at)))
    ++at;
  return at;
}

/// "U.S.A.": past single capitals, each with its point; 0 where fewer than two stand.
size_t dotted_end(std::string_view text, size_t at) {
  size_t end = at;
  size_t count = 0;
  while (is_letter(byte_at(text, end)) && byte_at(text, end + 1) == '.' &&
         count < kLongestAcronym) {
    end += 2;
    ++count;
  }
  if (count >= 2 && !word_begins_at(text, end)) return end;
  const bool last_bare =
      count >= 1 && is_upper(byte_at(text, end)) && !word_begins_at(text, end + 1);
  return last_bare ? end + 1 : 0;
}

bool is_half_day(std::string_view dotted) {
  return dotted == "a.m." || dotted == "p.m." || dotted == "a.k.a.";
}

bool all_upper(std::string_view dotted) {
  return std::ranges::all_of(dotted, [](char c) { return is_upper(c) || c == '.'; });
}

size_t spell_dotted(std::string_view text, size_t at, std::string& out) {
  const size_t end = dotted_end(text, at);
  if (end == 0) return 0;
  const auto dotted = text.substr(at, end - at);
  if (!all_upper(dotted) && !is_half_day(dotted)) return 0;
  std::string letters(dotted);
  std::erase(letters, '.');
  append_spelled(out, letters);
  if (dotted.ends_with('.') && ends_sentence(text, end)) out += '.';
  return end;
}

/// "CDs", "FBI's", "FBI".
size_t spell_capitals(std::string_view text, size_t at, bool shouted, std::string& out) {
  size_t end = upper_end(text, at);
  const auto word = text.substr(at, end - at);
  const bool plural = byte_at(text, end) == 's' && !word_begins_at(text, end + 1);
  if (plural) ++end;
  if (word.size() < 2 || word.size() > kLongestAcronym || word_begins_at(text, end)) return 0;
  const bool degree = byte_at(text, end) == '.' && is_upper(byte_at(text, end + 1));
  const bool firm = byte_at(text, end) == '&' || (at > 0 && text[at - 1] == '&');
  if (degree || shouted || (is_read_as_word(word) && !firm)) return 0;
  append_spelled(out, word);
  if (plural) out += "'s";
  return end;
}

}  // namespace

bool is_shouted(std::string_view text) {
  size_t words = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (is_lower(text[i])) return false;
    const bool starts = is_upper(text[i]) && (i == 0 || !is_upper(text[i - 1]));
    const bool goes_on = is_upper(byte_at(text, i + 1));
    words += starts && goes_on ? 1 : 0;
  }
  return words >= 3;
}

void spell_acronyms(std::string_view text, std::string& out) {
  const bool shouted = is_shouted(text);
  for (size_t at = 0; at < text.size();) {
    const bool starts = is_letter(text[at]) && !word_ends_before(text, at);
    size_t end = starts ? spell_dotted(text, at, out) : 0;
    if (starts && end == 0) end = spell_capitals(text, at, shouted, out);
    at = end != 0 ? end : append_as_is(out, text, at, starts);
  }
}

}  // namespace seda::text::english
