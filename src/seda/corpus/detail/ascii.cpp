// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "seda/base/utf8.h"
#include "seda/corpus/detail/voices.h"

namespace seda::corpus::detail {
namespace {

constexpr int kQuietest = 200;  // -44 dB of full scale

struct Form {
  char32_t character;
  std::string_view ascii;
};

constexpr std::array<Form, 19> kForms = {{{U'‘', "'"},
                                          {U'’', "'"},
                                          {U'“', "\""},
                                          {U'”', "\""},
                                          {U'–', "-"},
                                          {U'—', ", "},
                                          {U'…', "..."},
                                          {U'\u00a0', " "},
                                          {U'\u202f', " "},
                                          {U'\u00ad', ""},
                                          {U'«', "\""},
                                          {U'»', "\""},
                                          {U'æ', "ae"},
                                          {U'Æ', "Ae"},
                                          {U'œ', "oe"},
                                          {U'ß', "ss"},
                                          {U'ø', "o"},
                                          {U'Ø', "O"},
                                          {U'×', " times "}}};

/// Letters U+00C0 to U+00FF without their accents; `?` where that is not enough.
constexpr std::string_view kLatin1 =
    "AAAAAA?CEEEEIIII?NOOOOO??UUUUY??aaaaaa?ceeeeiiii?nooooo??uuuuy?y";

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::string_view ascii_of(char32_t character) {
  for (const Form& form : kForms) {
    if (form.character == character) return form.ascii;
  }
  if (character < 0xc0 || character > 0xff) return "?";
  return kLatin1.substr(character - 0xc0, 1);
}

}  // namespace

std::optional<Fault> check_length(std::string_view text) {
  const size_t length = count_utf8(text);
  if (length <= kLongestText) return std::nullopt;
  return Fault{"", "text_too_long",
               fmt::format("expected at most {} characters, found {}", kLongestText, length)};
}

Result<std::string> to_ascii(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const char32_t character = decode_utf8(text, at);
    if (character < 0x80) {
      out += static_cast<char>(character);
      continue;
    }
    const std::string_view form = ascii_of(character);
    if (form == "?") {
      std::string shown;
      append_utf8(shown, character);
      return Fault{"", "text_unspeakable",
                   fmt::format("expected English, found '{}' (U+{:04X}) that these voices would "
                               "leave out",
                               shown, static_cast<uint32_t>(character))};
    }
    out += form;
  }
  if (std::ranges::none_of(out, is_word)) {
    return Fault{"", "text_unspeakable", "expected words or numbers, found none"};
  }
  return out;
}

bool is_silent(std::span<const int16_t> samples) {
  return std::ranges::none_of(samples, [](int16_t s) { return s > kQuietest || s < -kQuietest; });
}

}  // namespace seda::corpus::detail
