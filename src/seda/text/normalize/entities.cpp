// SPDX-License-Identifier: Apache-2.0
#include "seda/text/normalize/entities.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "seda/base/ascii.h"
#include "seda/base/utf8.h"
#include "seda/text/normalize/scan.h"

namespace seda::text {
namespace {

using Entity = std::pair<std::string_view, char32_t>;

constexpr std::array<Entity, 93> kNamed{{
    {"Aacute", 0xc1},   {"Agrave", 0xc0},   {"Auml", 0xc4},    {"Ccedil", 0xc7}, {"Eacute", 0xc9},
    {"Egrave", 0xc8},   {"Ntilde", 0xd1},   {"Ouml", 0xd6},    {"Uuml", 0xdc},   {"aacute", 0xe1},
    {"acirc", 0xe2},    {"aelig", 0xe6},    {"agrave", 0xe0},  {"amp", '&'},     {"apos", '\''},
    {"aring", 0xe5},    {"asymp", 0x2248},  {"atilde", 0xe3},  {"auml", 0xe4},   {"bdquo", 0x201e},
    {"brvbar", 0xa6},   {"bull", 0x2022},   {"ccedil", 0xe7},  {"cent", 0xa2},   {"copy", 0xa9},
    {"dagger", 0x2020}, {"deg", 0xb0},      {"divide", 0xf7},  {"eacute", 0xe9}, {"ecirc", 0xea},
    {"egrave", 0xe8},   {"emsp", 0x2003},   {"ensp", 0x2002},  {"euml", 0xeb},   {"euro", 0x20ac},
    {"frac12", 0xbd},   {"frac14", 0xbc},   {"frac34", 0xbe},  {"ge", 0x2265},   {"gt", '>'},
    {"hearts", 0x2665}, {"hellip", 0x2026}, {"iacute", 0xed},  {"icirc", 0xee},  {"iexcl", 0xa1},
    {"igrave", 0xec},   {"infin", 0x221e},  {"iquest", 0xbf},  {"iuml", 0xef},   {"laquo", 0xab},
    {"larr", 0x2190},   {"ldquo", 0x201c},  {"le", 0x2264},    {"lrm", 0x200e},  {"lsaquo", 0x2039},
    {"lsquo", 0x2018},  {"lt", '<'},        {"mdash", 0x2014}, {"micro", 0xb5},  {"middot", 0xb7},
    {"minus", 0x2212},  {"nbsp", 0xa0},     {"ndash", 0x2013}, {"ne", 0x2260},   {"ntilde", 0xf1},
    {"oacute", 0xf3},   {"ocirc", 0xf4},    {"ograve", 0xf2},  {"oslash", 0xf8}, {"otilde", 0xf5},
    {"ouml", 0xf6},     {"para", 0xb6},     {"plusmn", 0xb1},  {"pound", 0xa3},  {"quot", '"'},
    {"raquo", 0xbb},    {"rarr", 0x2192},   {"rdquo", 0x201d}, {"reg", 0xae},    {"rlm", 0x200f},
    {"rsaquo", 0x203a}, {"rsquo", 0x2019},  {"sect", 0xa7},    {"shy", 0xad},    {"szlig", 0xdf},
    {"thinsp", 0x2009}, {"times", 0xd7},    {"trade", 0x2122}, {"uacute", 0xfa}, {"ugrave", 0xf9},
    {"uuml", 0xfc},     {"zwj", 0x200d},    {"zwnj", 0x200c},
}};
static_assert(std::ranges::is_sorted(kNamed));

constexpr size_t kLongestEntity = 10;

std::optional<char32_t> named(std::string_view name) {
  const auto found = std::ranges::lower_bound(kNamed, name, {}, &Entity::first);
  if (found == kNamed.end() || found->first != name) return std::nullopt;
  return found->second;
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

/// The number after `&#`; U+FFFD where it is no character.
std::optional<char32_t> numbered(std::string_view number) {
  const bool hexadecimal = !number.empty() && (number[0] == 'x' || number[0] == 'X');
  const int base = hexadecimal ? 16 : 10;
  if (hexadecimal) number.remove_prefix(1);
  if (number.empty()) return std::nullopt;
  char32_t value = 0;
  for (const char c : number) {
    if (hex_value(c) >= base) return std::nullopt;
    value = value * static_cast<char32_t>(base) + static_cast<char32_t>(hex_value(c));
  }
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  return surrogate || value > 0x10ffff ? kReplacementCharacter : value;
}

std::optional<char32_t> entity(std::string_view name) {
  if (name.starts_with('#')) return numbered(name.substr(1));
  return named(name);
}

constexpr size_t kLongestTag = 200;

constexpr auto kTags = std::to_array<std::string_view>(
    {"a",  "b",  "i",  "u",  "p",   "br",  "em",  "li",   "ul",   "ol",     "tt",
     "h1", "h2", "h3", "h4", "sub", "sup", "div", "font", "span", "strong", "cite"});

/// Past the tag at `at`; 0 where there is none.
size_t tag_end(std::string_view text, size_t at) {
  const size_t start = at + (byte_at(text, at + 1) == '/' ? 2 : 1);
  size_t stop = start;
  while (is_letter(byte_at(text, stop)) || is_digit(byte_at(text, stop)))
    if (++stop - start > 6) return 0;
  const std::string name = lower_ascii(text.substr(start, stop - start));
  if (std::ranges::find(kTags, name) == kTags.end()) return 0;
  const char after = byte_at(text, stop);
  if (after != '>' && after != ' ' && after != '/') return 0;
  const size_t close = text.substr(stop, kLongestTag).find_first_of("<>");
  const bool closed = close != std::string_view::npos && text[stop + close] == '>';
  return closed ? stop + close + 1 : 0;
}

}  // namespace

std::string strip_tags(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t end = text[at] == '<' ? tag_end(text, at) : 0;
    if (end == 0) out += text[at];
    at = end == 0 ? at + 1 : end;
  }
  return out;
}

std::string decode_entities(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t start = std::min(text.find('&', at), text.size());
    out.append(text.substr(at, start - at));
    if (start == text.size()) break;
    const size_t length = text.substr(start + 1, kLongestEntity).find(';');
    const auto character =
        length == std::string_view::npos ? std::nullopt : entity(text.substr(start + 1, length));
    if (character) append_utf8(out, *character);
    if (!character) out += '&';
    at = start + (character ? length + 2 : 1);
  }
  return out;
}

}  // namespace seda::text
