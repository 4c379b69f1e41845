// SPDX-License-Identifier: Apache-2.0
#include "seda/base/utf8.h"
#include "seda/text/normalize/characters.h"
#include "seda/text/normalize/scan.h"
#include "seda/text/normalize/step.h"

namespace seda::text {
namespace {

constexpr char32_t kPicture = 0xfe0f;  ///< Asks for the picture of the character before it.
constexpr char32_t kJoiner = 0x200d;
constexpr char32_t kKeycap = 0x20e3;

bool is_flag_letter(char32_t c) {
  return c >= 0x1f1e6 && c <= 0x1f1ff;
}

bool is_modifier(char32_t c) {
  return c == kPicture || (c >= 0x1f3fb && c <= 0x1f3ff) || (c >= 0xe0020 && c <= 0xe007f);
}

/// Arrows and double marks, left to the steps for symbols and punctuation.
bool is_left_alone(char32_t c) {
  return c == 0x203c || c == 0x2049 || c == 0x2139 || (c >= 0x2190 && c <= 0x21ff);
}

/// Looks at characters one after another without taking them.
struct Peek {
  std::string_view text;
  size_t at;

  char32_t take() { return at < text.size() ? decode_utf8(text, at) : 0; }
  bool take_if(char32_t wanted) {
    if (character_at(text, at) != wanted) return false;
    take();
    return true;
  }
};

/// Past the digit, its picture mark and the keycap; 0 where there is none.
size_t keycap_end(std::string_view text, size_t at) {
  Peek peek{text, at};
  const char32_t base = peek.take();
  const bool on_keys = base == '#' || base == '*' || (base >= '0' && base <= '9');
  if (!on_keys) return 0;
  peek.take_if(kPicture);
  return peek.take_if(kKeycap) ? peek.at : 0;
}

bool is_pictured(std::string_view text, size_t at) {
  Peek peek{text, at};
  const char32_t character = peek.take();
  if (is_emoji(character)) return true;
  const bool asked = peek.take() == kPicture;
  return (asked && is_text_emoji(character)) ||
         (is_text_emoji(character) && !is_left_alone(character));
}

/// Past one emoji with all that is joined to it.
size_t sequence_end(std::string_view text, size_t at) {
  Peek peek{text, at};
  bool joined = true;
  while (joined) {
    const bool flag = is_flag_letter(peek.take());
    if (flag && is_flag_letter(character_at(text, peek.at))) peek.take();
    while (is_modifier(character_at(text, peek.at)))
      peek.take();
    Peek after = peek;
    joined = after.take_if(kJoiner) && is_pictured(text, after.at);
    if (joined) peek = after;
  }
  return peek.at;
}

/// Where the emoji at `at` ends; 0 where there is none.
size_t emoji_end(std::string_view text, size_t at) {
  const size_t keycap = keycap_end(text, at);
  if (keycap != 0) return keycap;
  const char first = text[at];
  if (!is_beyond_ascii(first) || static_cast<unsigned char>(first) < 0xe2) return 0;
  return is_pictured(text, at) || is_flag_letter(character_at(text, at)) ? sequence_end(text, at)
                                                                         : 0;
}

bool is_stray(char32_t c) {
  return c == kPicture || c == kKeycap || (c >= 0xe0000 && c <= 0xe007f);
}

}  // namespace

void clean_emoji(std::string_view in, StepContext& context, std::string& out) {
  for (size_t at = 0; at < in.size();) {
    at = append_plain(out, in, at);
    if (at == in.size()) break;
    const size_t end = emoji_end(in, at);
    if (end != 0) {
      ++context.emoji;
      at = end;
      if (word_ends_before(out, out.size()) && word_begins_at(in, at)) out += ' ';
      continue;
    }
    const size_t start = at;
    if (!is_stray(decode_utf8(in, at))) out.append(in.substr(start, at - start));
  }
}

}  // namespace seda::text
