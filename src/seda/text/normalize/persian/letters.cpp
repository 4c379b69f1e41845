// SPDX-License-Identifier: Apache-2.0
#include "seda/base/utf8.h"
#include "seda/text/normalize/persian/persian.h"
#include "seda/text/normalize/scan.h"

namespace seda::text::persian {
namespace {

constexpr char32_t kHamzaAbove = 0x654;

/// The Persian letter for one of Arabic, Urdu or Kurdish writing; the letter itself otherwise.
char32_t persian_letter(char32_t c) {
  switch (c) {
    case 0x64a:  // ي
    case 0x649:  // ى
    case 0x6cd:
    case 0x6d2:
      return 0x6cc;
    case 0x643:  // ك
    case 0x6aa:
      return 0x6a9;
    case 0x6c1:
    case 0x6be:
    case 0x6d5:
    case 0x6c3:
      return 0x647;
    case 0x625:  // إ
    case 0x671:
      return 0x627;
    default:
      return c;
  }
}

bool is_arabic_letter(char32_t c) {
  return (c >= 0x620 && c <= 0x64a) || (c >= 0x66e && c <= 0x6d5) || (c >= 0x6ee && c <= 0x6ff);
}

bool precedes_article(std::string_view text, size_t at) {
  if (has_at(text, at, "\u200c")) at += 3;
  return has_at(text, skip_space(text, at), "ال");
}

/// Letters whose Persian form depends on their neighbours.
char32_t in_context(char32_t c, std::string_view out, std::string_view text, size_t next) {
  if (c == 0x629) return precedes_article(text, next) ? 0x62a : 0x647;  // ة
  if (c == 0x623 && !word_ends_before(out, out.size())) return 0x627;   // أ
  return persian_letter(c);
}

bool take_hamza(std::string_view text, size_t& at) {
  if (character_at(text, at) != kHamzaAbove) return false;
  at += 2;
  return true;
}

/// «می¬شود»: the sign that old files have for the joiner.
bool is_old_joiner(char32_t c, std::string_view out, std::string_view text, size_t next) {
  return c == 0xac && is_arabic_letter(character_before(out, out.size())) &&
         is_arabic_letter(character_at(text, next));
}

}  // namespace

std::string unify_letters(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    if (!is_beyond_ascii(text[at])) {
      out += text[at++];
      continue;
    }
    const char32_t letter = decode_utf8(text, at);
    char32_t persian = in_context(letter, out, text, at);
    if (persian == 0x647 && take_hamza(text, at)) persian = 0x6c0;  // هٔ as ۀ
    if (is_old_joiner(letter, out, text, at)) persian = 0x200c;
    append_utf8(out, persian);
    if (letter == 0x629 && has_at(text, at, "ال")) out += "\u200c";
  }
  return out;
}

}  // namespace seda::text::persian
