// SPDX-License-Identifier: Apache-2.0
#include "seda/text/script.h"

#include <algorithm>
#include <array>
#include <utility>

#include <unicode/uscript.h>

namespace seda::text {
namespace {

struct Row {
  Script script;
  UScriptCode code;
  std::string_view reading;  // the language it is read in
};

constexpr std::array kRows = {
    Row{Script::latin, USCRIPT_LATIN, "en"},
    Row{Script::arabic, USCRIPT_ARABIC, "fa"},
    Row{Script::cyrillic, USCRIPT_CYRILLIC, "ru"},
    Row{Script::greek, USCRIPT_GREEK, "el"},
    Row{Script::hebrew, USCRIPT_HEBREW, "he"},
    Row{Script::armenian, USCRIPT_ARMENIAN, "hy"},
    Row{Script::georgian, USCRIPT_GEORGIAN, "ka"},
    Row{Script::devanagari, USCRIPT_DEVANAGARI, "hi"},
    Row{Script::bengali, USCRIPT_BENGALI, "bn"},
    Row{Script::gujarati, USCRIPT_GUJARATI, "gu"},
    Row{Script::gurmukhi, USCRIPT_GURMUKHI, "pa"},
    Row{Script::kannada, USCRIPT_KANNADA, "kn"},
    Row{Script::malayalam, USCRIPT_MALAYALAM, "ml"},
    Row{Script::tamil, USCRIPT_TAMIL, "ta"},
    Row{Script::telugu, USCRIPT_TELUGU, "te"},
    Row{Script::sinhala, USCRIPT_SINHALA, "si"},
    Row{Script::thai, USCRIPT_THAI, "th"},
    Row{Script::ethiopic, USCRIPT_ETHIOPIC, "am"},
    Row{Script::myanmar, USCRIPT_MYANMAR, "my"},
    Row{Script::han, USCRIPT_HAN, "zh"},
    Row{Script::kana, USCRIPT_HIRAGANA, "ja"},
    Row{Script::kana, USCRIPT_KATAKANA, "ja"},
    Row{Script::hangul, USCRIPT_HANGUL, "ko"},
};

/// Languages whose script is not that of their row above, or that share it.
constexpr std::array<std::pair<std::string_view, Script>, 20> kLanguages = {{
    {"ar", Script::arabic},   {"ur", Script::arabic},     {"ps", Script::arabic},
    {"ckb", Script::arabic},  {"sd", Script::arabic},     {"ug", Script::arabic},
    {"uk", Script::cyrillic}, {"bg", Script::cyrillic},   {"be", Script::cyrillic},
    {"mk", Script::cyrillic}, {"sr", Script::cyrillic},   {"kk", Script::cyrillic},
    {"ky", Script::cyrillic}, {"mn", Script::cyrillic},   {"tg", Script::cyrillic},
    {"tt", Script::cyrillic}, {"mr", Script::devanagari}, {"ne", Script::devanagari},
    {"as", Script::bengali},  {"yi", Script::hebrew},
}};

bool is_ascii_letter(char32_t character) {
  return (character >= U'a' && character <= U'z') || (character >= U'A' && character <= U'Z');
}

}  // namespace

Script script_of(char32_t character) {
  if (character < 0x80) return is_ascii_letter(character) ? Script::latin : Script::common;
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode code = uscript_getScript(static_cast<UChar32>(character), &status);
  if (U_FAILURE(status) || code == USCRIPT_COMMON || code == USCRIPT_INHERITED ||
      code == USCRIPT_UNKNOWN) {
    return Script::common;
  }
  const auto* const row = std::ranges::find(kRows, code, &Row::code);
  return row == kRows.end() ? Script::other : row->script;
}

Script script_of_language(std::string_view language) {
  const std::string_view primary = primary_language(language);
  const auto* const row = std::ranges::find(kRows, primary, &Row::reading);
  if (row != kRows.end()) return row->script;
  const auto* const entry =
      std::ranges::find(kLanguages, primary, &std::pair<std::string_view, Script>::first);
  return entry == kLanguages.end() ? Script::latin : entry->second;
}

std::string_view language_of_script(Script script) {
  const auto* const row = std::ranges::find(kRows, script, &Row::script);
  return row == kRows.end() ? std::string_view{} : row->reading;
}

std::string_view primary_language(std::string_view code) {
  return code.substr(0, code.find_first_of("-_"));
}

}  // namespace seda::text
