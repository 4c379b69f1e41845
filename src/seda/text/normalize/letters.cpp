// SPDX-License-Identifier: Apache-2.0
#include "seda/base/utf8.h"
#include "seda/text/normalize/characters.h"
#include "seda/text/normalize/persian/persian.h"
#include "seda/text/normalize/scan.h"
#include "seda/text/normalize/step.h"

namespace seda::text {
namespace {

constexpr char32_t kNonJoiner = 0x200c;
constexpr char32_t kJoiner = 0x200d;
constexpr char32_t kRialSign = 0xfdfc;

bool within(char32_t c, char32_t first, char32_t last) {
  return c >= first && c <= last;
}

/// Joined forms of letters and whole words as one character. The sign of the rial is a currency.
bool is_presentation_form(char32_t c) {
  return (within(c, 0xfb50, 0xfdff) || within(c, 0xfe70, 0xfefc)) && c != kRialSign;
}

bool is_ornament(char32_t c) {
  return c == 0x640 || within(c, 0x610, 0x61a) || within(c, 0x6d6, 0x6ed);
}

/// Hamza above is part of «ۀ», which by then is one letter.
bool is_vowel_mark(char32_t c) {
  return within(c, 0x64b, 0x65f) || c == 0x670;
}

bool takes_joiners(char32_t c) {
  return c >= 0x600 && is_word_character(c);
}

/// Joiners count only between letters of scripts that join.
bool is_stray_joiner(char32_t c, std::string_view out, std::string_view text, size_t next) {
  if (c != kNonJoiner && c != kJoiner) return false;
  return !takes_joiners(character_before(out, out.size())) ||
         !takes_joiners(character_at(text, next));
}

std::string expand_forms(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool expanded = false;
  for (size_t at = 0; at < text.size();) {
    at = append_plain(out, text, at);
    if (at == text.size()) break;
    const size_t start = at;
    const char32_t character = decode_utf8(text, at);
    if (is_presentation_form(character)) {
      append_compatible(out, character);
      expanded = true;
    } else if (!is_ornament(character)) {
      out.append(text.substr(start, at - start));
    }
  }
  if (expanded) compose(out);
  return out;
}

void drop_marks(std::string_view text, Diacritics diacritics, std::string& out) {
  for (size_t at = 0; at < text.size();) {
    at = append_plain(out, text, at);
    if (at == text.size()) break;
    const size_t start = at;
    const char32_t character = decode_utf8(text, at);
    const bool mark = diacritics == Diacritics::remove && is_vowel_mark(character);
    if (!mark && !is_stray_joiner(character, out, text, at))
      out.append(text.substr(start, at - start));
  }
}

}  // namespace

void clean_letters(std::string_view in, StepContext& context, std::string& out) {
  std::string text = expand_forms(in);
  if (context.family == Family::persian) text = persian::unify_letters(text);
  if (context.family != Family::persian) {
    drop_marks(text, context.diacritics, out);
    return;
  }
  std::string clean;
  drop_marks(text, context.diacritics, clean);
  persian::join_words(clean, out);
}

}  // namespace seda::text
