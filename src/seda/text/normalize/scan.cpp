// SPDX-License-Identifier: Apache-2.0
#include "seda/text/normalize/scan.h"

#include "seda/base/utf8.h"
#include "seda/text/normalize/characters.h"

namespace seda::text {
namespace {

/// A letter of U+0620 to U+06D3 in two bytes, no tatweel, mark or digit.
bool is_arabic_letter_at(std::string_view text, size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0xd8 || lead > 0xdb || at + 1 >= text.size()) return false;
  const unsigned code = (lead & 0x1fU) << 6U | (static_cast<unsigned char>(text[at + 1]) & 0x3fU);
  return (code >= 0x620 && code < 0x640) || (code > 0x640 && code <= 0x64a) ||
         (code > 0x670 && code <= 0x6d3);
}

}  // namespace

size_t skip_letters(std::string_view text, size_t at) {
  while (at < text.size()) {
    if (is_letter(text[at])) {
      ++at;
    } else if (is_arabic_letter_at(text, at)) {
      at += 2;
    } else {
      break;
    }
  }
  return at;
}

size_t skip_plain(std::string_view text, size_t at) {
  size_t end = skip_letters(text, at);
  while (byte_at(text, end) == ' ')
    end = skip_letters(text, end + 1);
  return end;
}

size_t append_plain(std::string& out, std::string_view text, size_t at) {
  const size_t end = skip_plain(text, at);
  out.append(text.substr(at, end - at));
  return end;
}

char32_t character_before(std::string_view text, size_t at) {
  if (at == 0 || at > text.size()) return 0;
  size_t start = at - 1;
  while (start > 0 && at - start < 4 && (static_cast<unsigned char>(text[start]) & 0xc0U) == 0x80)
    --start;
  return decode_utf8(text, start);
}

char32_t character_at(std::string_view text, size_t at) {
  return at < text.size() ? decode_utf8(text, at) : 0;
}

bool word_ends_before(std::string_view text, size_t at) {
  const char32_t character = character_before(text, at);
  return character != 0 && is_word_character(character);
}

bool word_begins_at(std::string_view text, size_t at) {
  const char32_t character = character_at(text, at);
  return character != 0 && is_word_character(character);
}

std::string_view letters_at(std::string_view text, size_t at) {
  size_t end = at;
  while (end - at < kLongestWord && is_letter(byte_at(text, end)))
    ++end;
  return end > at ? text.substr(at, end - at) : std::string_view();
}

std::string_view letters_before(std::string_view text, size_t at) {
  size_t start = at;
  while (start > 0 && at - start < kLongestWord && is_letter(text[start - 1]))
    --start;
  return text.substr(start, at - start);
}

std::string_view word_before(std::string_view text, size_t at) {
  const auto skip = [&](char c) {
    if (at > 0 && text[at - 1] == c) --at;
  };
  skip(' ');
  skip(',');
  skip('.');
  size_t start = at;
  while (start > 0 && at - start < kLongestWord &&
         (is_letter(text[start - 1]) || is_beyond_ascii(text[start - 1])))
    --start;
  return text.substr(start, at - start);
}

size_t dash_at(std::string_view text, size_t at) {
  if (byte_at(text, at) == '-') return 1;
  return has_at(text, at, "–") || has_at(text, at, "−") ? 3 : 0;
}

size_t append_as_is(std::string& out, std::string_view text, size_t at, bool starts) {
  size_t end = at + 1;
  while (starts && is_letter(byte_at(text, end)))
    ++end;
  out.append(text.substr(at, end - at));
  return end;
}

void append_word(std::string& out, std::string_view word) {
  if (!out.empty() && out.back() != ' ') out += ' ';
  out += word;
}

}  // namespace seda::text
