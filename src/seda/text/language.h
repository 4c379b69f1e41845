// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace seda::text {

/// How a line's language became known.
enum class LanguageSource {
  metadata,  ///< Said by the corpus or the user.
  script,    ///< The letters allow no other.
  content,   ///< Recognised from the words.
  fallback,  ///< Too little to tell: the corpus' language.
};
std::string_view to_string(LanguageSource source);

/// The language of a line.
struct Language {
  std::string code;       ///< "en", "fa", "de"; a region where the metadata named one.
  double confidence = 0;  ///< 0 to 1.
  LanguageSource source = LanguageSource::fallback;

  bool operator==(const Language&) const = default;
};

/// Language of `text`. Letters come first: Persian, Arabic, Urdu, Pashto, Kurdish and Uyghur are
/// told apart by those that only one of them has, and scripts with one language need no words. Then
/// the words (CLD2). Of fewer than three words, and of text that tells nothing, `fallback` wins
/// where it is written in the same script. Thread-safe.
Language detect_language(std::string_view text, std::string_view fallback);

/// Version of the rules above; part of every fingerprint.
constexpr int kLanguageVersion = 1;

}  // namespace seda::text
