// SPDX-License-Identifier: Apache-2.0
#include "seda/text/language.h"

#include <array>
#include <cstdio>

#include <cld2/internal/lang_script.h>
#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>

#include "seda/base/utf8.h"
#include "seda/text/letter_counts.h"

namespace seda::text {
namespace {

constexpr size_t kFewestWords = 3;

/// Codes that CLD2 writes in an older or longer form.
std::string modern_code(std::string_view code) {
  if (code == "iw") return "he";
  if (code == "zh-Hant" || code == "zh-TW") return "zh";
  if (code == "jw") return "jv";
  return std::string(code);
}

/// What the words say, the corpus' language being the likeliest; an empty code where they say
/// nothing.
Language by_words(std::string_view text, std::string_view fallback) {
  const std::string likely(primary_language(fallback));
  const CLD2::CLDHints hints = {nullptr, nullptr, CLD2::UNKNOWN_ENCODING,
                                CLD2::GetLanguageFromName(likely.c_str())};
  std::array<CLD2::Language, 3> languages{};
  std::array<int, 3> percents{};
  std::array<double, 3> scores{};
  int bytes = 0;
  bool reliable = false;
  int valid = 0;  // bytes before the first that CLD2 will not read; it then looks at none
  const CLD2::Language best = CLD2::ExtDetectLanguageSummaryCheckUTF8(
      text.data(), static_cast<int>(text.size()), true, &hints, CLD2::kCLDFlagBestEffort,
      languages.data(), percents.data(), scores.data(), nullptr, &bytes, &reliable, &valid);
  if (best == CLD2::UNKNOWN_LANGUAGE) return {};
  const double share = percents[0] / 100.0;
  return {modern_code(CLD2::LanguageCode(best)), reliable ? share : share / 2,
          LanguageSource::content};
}

/// Scripts in which one language is written so often that no word is asked.
bool has_one_language(Script script) {
  switch (script) {
    case Script::common:
    case Script::other:
    case Script::latin:
    case Script::arabic:
    case Script::cyrillic:
    case Script::devanagari:
    case Script::hebrew:
    case Script::bengali:
    case Script::han:
      return false;
    default:
      return true;
  }
}

Language fallback_for(Script script, std::string_view fallback) {
  const bool fits =
      !fallback.empty() && (script == Script::common || script_of_language(fallback) == script);
  const std::string_view code = fits ? fallback : language_of_script(script);
  return {std::string(code.empty() ? "en" : code), fits ? 0.5 : 0.3, LanguageSource::fallback};
}

/// CLD2 knows fewer than the letters tell, and often takes Persian for Arabic or Urdu.
Language arabic_script(std::string_view text, size_t words, std::string_view fallback) {
  const ArabicScriptGuess guess = guess_arabic_script(text);
  if (!guess.language.empty() && guess.share > 0.5) {
    const bool enough = words >= kFewestWords || guess.share == 1;
    if (enough) return {std::string(guess.language), guess.share, LanguageSource::script};
  }
  if (words < kFewestWords) return fallback_for(Script::arabic, fallback);
  const Language found = by_words(text, fallback);
  const bool fits = script_of_language(found.code) == Script::arabic && !found.code.empty();
  return fits ? found : fallback_for(Script::arabic, fallback);
}

}  // namespace

std::string_view to_string(LanguageSource source) {
  switch (source) {
    case LanguageSource::metadata:
      return "metadata";
    case LanguageSource::script:
      return "script";
    case LanguageSource::content:
      return "content";
    case LanguageSource::fallback:
      break;
  }
  return "fallback";
}

Language detect_language(std::string_view text, std::string_view fallback) {
  constexpr size_t kEnough = 4096;  // bytes that tell; a line of a megabyte tells no more
  text = first_bytes(text, kEnough);
  const Letters letters = count_letters(text);
  const Script script = letters.main_script();
  if (script == Script::arabic) return arabic_script(text, letters.words, fallback);
  // Kana anywhere is Japanese, however many Han characters stand around it.
  if (script == Script::han && letters.scripts[static_cast<size_t>(Script::kana)] > 0) {
    return {"ja", 0.95, LanguageSource::script};
  }
  if (has_one_language(script)) {
    return {std::string(language_of_script(script)), 0.95, LanguageSource::script};
  }
  if (script == Script::common || letters.words < kFewestWords) {
    if (script != Script::han) return fallback_for(script, fallback);
  }
  const Language found = by_words(text, fallback);
  const bool fits = !found.code.empty() && script_of_language(found.code) == script;
  return fits ? found : fallback_for(script, fallback);
}

}  // namespace seda::text
