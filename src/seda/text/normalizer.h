// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace seda::text {

/// What becomes of the vowel marks of Arabic script.
enum class Diacritics { keep, remove };

struct NormalizerOptions {
  std::vector<std::string> cleaners;  ///< Empty: the default ones; else these, in this order.
  Diacritics diacritics = Diacritics::keep;  ///< Done by the cleaner `letters`.

  bool operator==(const NormalizerOptions&) const = default;
};

struct Normalized {
  std::string text;
  uint32_t emoji = 0;    ///< Dropped; a sequence with joiners or skin tones counts once.
  uint32_t dropped = 0;  ///< Other characters dropped: control, invalid bytes, private use.
};

/// A named step of normalisation.
struct Cleaner {
  std::string_view name;
  int version = 0;  ///< Raised whenever its output changes: it enters the fingerprint of caches.
  std::string_view meaning;
  bool by_default = false;
};

/// Every step there is, in default order.
const std::vector<Cleaner>& cleaners();

/// Written text to spoken text: English and Persian in full, for other languages that ICU knows the
/// numbers, for the rest what holds for every script.
///
/// Plans once; `apply` is const and thread-safe. Time is linear in the line, and a line of plain
/// words takes about a microsecond (bench/normalize_bench.cpp).
class Normalizer {
 public:
  /// Error(config) with the nearest name where a cleaner does not exist or is named twice.
  explicit Normalizer(NormalizerOptions options = {});

  /// What is spoken for `line`. `language` is a code such as "en", "en-gb", "fa", "de".
  /// Any bytes will do; the result is UTF-8.
  Normalized apply(std::string_view line, std::string_view language) const;

  /// The steps that run, in order.
  const std::vector<Cleaner>& steps() const { return steps_; }

 private:
  NormalizerOptions options_;
  std::vector<Cleaner> steps_;
  std::vector<size_t> plan_;  ///< Places in the table of all steps.
};

}  // namespace seda::text
