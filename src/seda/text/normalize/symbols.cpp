// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "seda/base/utf8.h"
#include "seda/text/normalize/characters.h"
#include "seda/text/normalize/scan.h"
#include "seda/text/normalize/step.h"

namespace seda::text {
namespace {

enum class When {
  always,
  between,  ///< Words or spaces and words stand on both sides.
};

struct Symbol {
  char32_t sign;
  std::string_view english;
  std::string_view persian;
  When when;
};

constexpr auto kSymbols = std::to_array<Symbol>({
    {'#', "hashtag", "هشتگ", When::always},
    {'$', "dollars", "دلار", When::always},
    {'%', "percent", "درصد", When::always},
    {'&', "and", "و", When::always},
    {'*', "times", "ضربدر", When::between},
    {'+', "plus", "به‌علاوه", When::always},
    {'/', "slash", "", When::between},
    {'<', "less than", "کوچک‌تر از", When::between},
    {'=', "equals", "مساوی", When::always},
    {'>', "greater than", "بزرگ‌تر از", When::between},
    {'@', "at", "ات", When::always},
    {0xa2, "cents", "سنت", When::always},
    {0xa3, "pounds", "پوند", When::always},
    {0xa5, "yen", "ین", When::always},
    {0xa7, "section", "بند", When::always},
    {0xa9, "copyright", "کپی‌رایت", When::always},
    {0xb0, "degrees", "درجه", When::always},
    {0xb1, "plus or minus", "مثبت و منفی", When::always},
    {0xd7, "times", "ضربدر", When::between},
    {0xf7, "divided by", "تقسیم بر", When::always},
    {0x66a, "percent", "درصد", When::always},
    {0x20ac, "euros", "یورو", When::always},
    {0x20b9, "rupees", "روپیه", When::always},
    {0x2212, "minus", "منهای", When::between},
    {0x221a, "square root of", "جذر", When::always},
    {0x221e, "infinity", "بی‌نهایت", When::always},
    {0x2248, "approximately", "تقریبا", When::always},
    {0x2260, "not equal to", "نامساوی با", When::always},
    {0x2264, "less than or equal to", "کوچک‌تر یا مساوی", When::always},
    {0x2265, "greater than or equal to", "بزرگ‌تر یا مساوی", When::always},
    {0xfdfc, "rials", "ریال", When::always},
});
static_assert(std::ranges::is_sorted(kSymbols, {}, &Symbol::sign));

const Symbol* find(char32_t character) {
  const auto found = std::ranges::lower_bound(kSymbols, character, {}, &Symbol::sign);
  return found != kSymbols.end() && found->sign == character ? &*found : nullptr;
}

/// Words on both sides, with the same room to them.
bool stands_between(std::string_view text, size_t start, size_t end) {
  const bool room_before = start > 0 && text[start - 1] == ' ';
  const bool room_after = byte_at(text, end) == ' ';
  if (room_before != room_after) return false;
  return word_ends_before(text, room_before ? start - 1 : start) &&
         word_begins_at(text, room_after ? end + 1 : end);
}

/// "x²", "mc²" after one or two letters.
std::string_view power(std::string_view out, char32_t character, Family family) {
  const size_t letters = letters_before(out, out.size()).size();
  if (letters < 1 || letters > 2 || (character != 0xb2 && character != 0xb3)) return {};
  if (family == Family::persian) return character == 0xb2 ? "به توان دو" : "به توان سه";
  return character == 0xb2 ? "squared" : "cubed";
}

/// Marks that stay: the step for punctuation knows them.
bool is_punctuation(char32_t c) {
  static constexpr std::u32string_view kKept =
      U".,;:!?'\"()-[]{}`"
      U"\u00a1\u00ab\u00b4\u00b7\u00bb\u00bf\u060c\u061b\u061f\u066b\u066c\u06d4\u0964\u0965";
  return kKept.find(c) != std::u32string_view::npos || (c >= 0x2010 && c <= 0x205e) ||
         (c >= 0x3001 && c <= 0x3003) || (c >= 0x3008 && c <= 0x301f);
}

void append_room(std::string& out) {
  if (!out.empty() && out.back() != ' ') out += ' ';
}

struct Speaker {
  std::string_view text;
  Family family;
  std::string& out;

  std::string_view word_for(char32_t character, size_t start, size_t end) const {
    const auto raised = power(out, character, family);
    if (!raised.empty()) return raised;
    const Symbol* symbol = find(character);
    if (symbol == nullptr || family == Family::other) return {};
    if (symbol->when == When::between && !stands_between(text, start, end)) return {};
    if (character == '#' && !word_begins_at(text, end)) return {};
    return family == Family::persian ? symbol->persian : symbol->english;
  }

  void speak(char32_t character, size_t start, size_t end) {
    const auto word = word_for(character, start, end);
    if (!word.empty()) {
      append_room(out);
      out += word;
      if (byte_at(text, end) != ' ' && word_begins_at(text, end)) out += ' ';
    } else if (word_ends_before(out, out.size()) && word_begins_at(text, end)) {
      out += ' ';
    }
  }
};

bool is_joiner(char32_t c) {
  return c == 0x200c || c == 0x200d;
}

/// Other languages keep the signs that they may speak in words of their own.
bool is_kept(char32_t c, Family family) {
  return is_word_character(c) || is_space_character(c) || is_punctuation(c) || is_joiner(c) ||
         (family == Family::other && find(c) != nullptr);
}

}  // namespace

void clean_symbols(std::string_view in, StepContext& context, std::string& out) {
  Speaker speaker{in, context.family, out};
  for (size_t at = 0; at < in.size();) {
    at = append_plain(out, in, at);
    if (at == in.size()) break;
    const size_t start = at;
    const char32_t character = decode_utf8(in, at);
    if (is_kept(character, context.family)) {
      out.append(in.substr(start, at - start));
    } else {
      speaker.speak(character, start, at);
    }
  }
}

}  // namespace seda::text
