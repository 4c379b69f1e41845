// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace seda::text {

/// A stretch of text in one script, or of punctuation.
struct Run {
  std::string_view text;
  bool spoken = false;   ///< False: punctuation and spaces, kept as they are.
  std::string language;  ///< Whose voice speaks it.

  bool operator==(const Run&) const = default;
};

/// Cuts a line into what is spoken and what is not. A stretch in another script than the line's
/// language goes to that script's usual language.
std::vector<Run> split_runs(std::string_view text, std::string_view language);

/// Voices of espeak-ng that may speak a language, the nearest first: of "fa-IR" "fa-ir" and "fa",
/// of "en" "en-us", of "en-GB" "en" and "en-us", of "zh" "cmn".
std::vector<std::string> voices_of(std::string_view language);

}  // namespace seda::text
