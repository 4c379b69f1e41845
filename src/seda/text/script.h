// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace seda::text {

/// Writing systems that tell languages apart.
enum class Script : uint8_t {
  common,  ///< Digits, punctuation, spaces, marks: belongs to what stands around it.
  latin,
  arabic,
  cyrillic,
  greek,
  hebrew,
  armenian,
  georgian,
  devanagari,
  bengali,
  gujarati,
  gurmukhi,
  kannada,
  malayalam,
  tamil,
  telugu,
  sinhala,
  thai,
  ethiopic,
  myanmar,
  han,
  kana,
  hangul,
  other,  ///< A letter of a system not listed.
};
constexpr int kScripts = static_cast<int>(Script::other) + 1;

Script script_of(char32_t character);

/// The script a language is written in; latin where that is not known.
Script script_of_language(std::string_view language);

/// The language to read a script in where nothing else is known: "en" for latin, "fa" for arabic.
/// Empty for common and other.
std::string_view language_of_script(Script script);

/// The part of a language code before its first `-` or `_`: "en" of "en-GB".
std::string_view primary_language(std::string_view code);

}  // namespace seda::text
