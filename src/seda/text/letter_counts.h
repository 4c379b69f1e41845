// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "seda/text/script.h"

namespace seda::text {

/// What the letters of a line tell about its language.
struct Letters {
  std::array<size_t, kScripts> scripts{};  ///< Letters of each script.
  size_t words = 0;                        ///< Runs of three or more letters.

  /// The script most letters are of; common for a line without any.
  Script main_script() const;
};

Letters count_letters(std::string_view text);

/// A language of Arabic script and how much of the evidence speaks for it.
struct ArabicScriptGuess {
  std::string_view language;  ///< Empty: no letter tells.
  double share = 0;           ///< Of the telling letters, those for this language.
};

/// Tells Persian, Arabic, Urdu, Pashto, Kurdish (Sorani) and Uyghur apart by letters that only some
/// of them use.
ArabicScriptGuess guess_arabic_script(std::string_view text);

}  // namespace seda::text
