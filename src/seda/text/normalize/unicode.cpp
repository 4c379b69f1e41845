// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "seda/base/utf8.h"
#include "seda/text/normalize/characters.h"
#include "seda/text/normalize/entities.h"
#include "seda/text/normalize/scan.h"
#include "seda/text/normalize/step.h"

namespace seda::text {
namespace {

bool within(char32_t character, char32_t first, char32_t last) {
  return character >= first && character <= last;
}

/// Soft hyphens, direction marks, zero-width spaces: seen by nobody.
bool is_invisible(char32_t c) {
  return c == 0xad || c == 0x61c || c == 0x180e || c == 0x200b || within(c, 0x200e, 0x200f) ||
         within(c, 0x202a, 0x202e) || within(c, 0x2060, 0x206f) || c == 0xfeff ||
         within(c, 0xfe00, 0xfe0e) || within(c, 0xfff9, 0xfffb) || within(c, 0xe0100, 0xe01ef);
}

/// Other ways to write what has characters of its own.
bool is_compatibility_form(char32_t c) {
  return within(c, 0xfb00, 0xfb06) || within(c, 0x1d400, 0x1d7ff) || c == 0x2103 || c == 0x2109 ||
         within(c, 0x2160, 0x217f) || within(c, 0x2460, 0x249b) || within(c, 0x24b6, 0x24ea) ||
         within(c, 0x3371, 0x337a) || within(c, 0x3380, 0x33df) || within(c, 0xff61, 0xffdc) ||
         within(c, 0x2080, 0x208e) || c == 0x2126;
}

void append_clean(std::string& out, char32_t c, StepContext& context) {
  if (is_space_character(c)) {
    out += ' ';
  } else if (is_invisible(c)) {
    return;
  } else if (c == kReplacementCharacter || c == 0xfffc || is_unspeakable(c)) {
    ++context.dropped;
  } else if (within(c, 0xff01, 0xff5e)) {
    append_utf8(out, c - 0xff01 + '!');
  } else if (c == 0x2010 || c == 0x2011) {
    out += '-';
  } else if (c == 0x2116) {
    out += "No. ";
  } else if (is_compatibility_form(c)) {
    append_compatible(out, c);
  } else {
    append_utf8(out, c);
  }
}

bool is_plain(char c) {
  return c >= ' ' && c < 0x7f;
}

}  // namespace

void clean_unicode(std::string_view in, StepContext& context, std::string& out) {
  std::string decoded;
  if (in.find('&') != std::string_view::npos) {
    decoded = decode_entities(decode_entities(in));
    in = decoded;
  }
  if (in.find('<') != std::string_view::npos) {
    decoded = strip_tags(in);
    in = decoded;
  }
  bool composable = false;
  for (size_t at = 0; at < in.size();) {
    const size_t plain = std::max(skip_plain(in, at), is_plain(in[at]) ? at + 1 : at);
    if (plain > at) {
      out.append(in.substr(at, plain - at));
      at = plain;
      continue;
    }
    const char32_t character = decode_utf8(in, at);
    composable = composable || (character >= 0x300 && !within(character, 0x2000, 0x206f));
    append_clean(out, character, context);
  }
  if (composable) compose(out);
}

void clean_lowercase(std::string_view in, StepContext& context, std::string& out) {
  out = to_lower(in, context.language);
}

void clean_whitespace(std::string_view in, StepContext& /*context*/, std::string& out) {
  for (size_t at = 0; at < in.size();) {
    const size_t start = at;
    at = skip_letters(in, at);
    if (at > start) {
      out.append(in.substr(start, at - start));
      continue;
    }
    const char32_t character = decode_utf8(in, at);
    if (!is_space_character(character)) {
      out.append(in.substr(start, at - start));
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  if (out.ends_with(' ')) out.pop_back();
}

}  // namespace seda::text
