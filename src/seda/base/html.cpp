// SPDX-License-Identifier: Apache-2.0
#include "seda/base/html.h"

#include <cstdint>

#include <fmt/format.h>

#include "seda/base/utf8.h"

namespace seda {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kPlain =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";

void append_escaped(std::string& out, char32_t character) {
  switch (character) {
    case U'&':
      out += "&amp;";
      return;
    case U'<':
      out += "&lt;";
      return;
    case U'>':
      out += "&gt;";
      return;
    case U'"':
      out += "&quot;";
      return;
    case U'\'':
      out += "&#39;";
      return;
    default:
      break;
  }
  const bool control = (character < 0x20 && character != U'\t' && character != U'\n') ||
                       (character >= 0x7f && character < 0xa0) || character == 0xfffe ||
                       character == 0xffff;
  append_utf8(out, control ? kReplacementCharacter : character);
}

/// Three bytes, fewer at the end, as four digits.
void append_base64(std::string& out, std::string_view bytes) {
  uint32_t group = 0;
  for (size_t i = 0; i < 3; ++i)
    group = group << 8 | (i < bytes.size() ? static_cast<uint8_t>(bytes[i]) : 0U);
  for (size_t i = 0; i < 4; ++i)
    out += i <= bytes.size() ? kDigits[group >> (18 - 6 * i) & 63] : '=';
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();)
    append_escaped(out, decode_utf8(text, at));
  return out;
}

std::string data_uri(std::string_view type, std::string_view bytes) {
  std::string out = fmt::format("data:{};base64,", type);
  out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3)
    append_base64(out, bytes.substr(at, 3));
  return out;
}

std::string uri_path(std::string_view name) {
  std::string out;
  for (const char byte : name) {
    if (kPlain.find(byte) == std::string_view::npos) {
      out += fmt::format("%{:02X}", static_cast<uint8_t>(byte));
    } else {
      out += byte;
    }
  }
  return out;
}

}  // namespace seda
