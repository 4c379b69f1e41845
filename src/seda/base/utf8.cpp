// SPDX-License-Identifier: Apache-2.0
#include "seda/base/utf8.h"

namespace seda {

size_t utf8_length(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const auto trails = [&](size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return at < text.size() ? 1 : 0;
  if (lead >= 0xc2 && lead <= 0xdf) return trails(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const bool overlong = lead == 0xe0 && byte(1) < 0xa0;
    const bool surrogate = lead == 0xed && byte(1) > 0x9f;
    return trails(1) && trails(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const bool overlong = lead == 0xf0 && byte(1) < 0x90;
    const bool beyond = lead == 0xf4 && byte(1) > 0x8f;
    return trails(1) && trails(2) && trails(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

std::optional<size_t> find_invalid_utf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t length = utf8_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return std::nullopt;
}

char32_t decode_utf8(std::string_view text, size_t& at) {
  const auto byte = [&](size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[at + i]));
  };
  const size_t length = utf8_length(text, at);
  char32_t character = kReplacementCharacter;
  switch (length) {
    case 1:
      character = byte(0);
      break;
    case 2:
      character = (byte(0) & 0x1f) << 6 | (byte(1) & 0x3f);
      break;
    case 3:
      character = (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
      break;
    case 4:
      character = (byte(0) & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 |
                  (byte(3) & 0x3f);
      break;
    default:
      break;
  }
  at += length == 0 ? 1 : length;
  return character;
}

void append_utf8(std::string& out, char32_t character) {
  if (character > 0x10ffff || (character >= 0xd800 && character <= 0xdfff)) {
    character = kReplacementCharacter;
  }
  const auto put = [&](char32_t bits) { out.push_back(static_cast<char>(bits)); };
  if (character < 0x80) return put(character);
  if (character < 0x800) {
    put(0xc0 | character >> 6);
  } else if (character < 0x10000) {
    put(0xe0 | character >> 12);
    put(0x80 | (character >> 6 & 0x3f));
  } else {
    put(0xf0 | character >> 18);
    put(0x80 | (character >> 12 & 0x3f));
    put(0x80 | (character >> 6 & 0x3f));
  }
  put(0x80 | (character & 0x3f));
}

size_t count_utf8(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size(); ++count) {
    const size_t length = utf8_length(text, at);
    at += length == 0 ? 1 : length;
  }
  return count;
}

std::string_view first_bytes(std::string_view text, size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80)
    --most;
  return text.substr(0, most);
}

std::string excerpt(std::string_view text, size_t most) {
  std::string out(first_bytes(text, most));
  if (out.size() < text.size()) out += "…";
  return out;
}

}  // namespace seda
