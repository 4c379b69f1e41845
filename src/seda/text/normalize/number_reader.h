// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "seda/text/normalize/scan.h"

namespace seda::text {

/// A line in which numbers are read, digits folded (numeral.h).
struct NumberText {
  std::string_view text;
  std::string_view language;
  bool british = false;

  char at(size_t place) const { return byte_at(text, place); }
  bool has(size_t place, std::string_view what) const { return has_at(text, place, what); }
  /// No letter or digit stands right before `place`.
  bool is_start(size_t place) const { return !word_ends_before(text, place); }
  /// No letter or digit stands at `place`.
  bool is_end(size_t place) const { return !word_begins_at(text, place); }
};

/// Reads what begins at `at`, appends its words to `words` and returns where it ends; 0 where it is
/// not what this reader knows. Looks a bounded way beyond what it takes, so that all of them
/// together are linear.
using NumberReader = size_t (*)(const NumberText& text, size_t at, std::string& words);

/// How a language joins what readers give.
struct NumberRules {
  std::span<const NumberReader> readers;  ///< The first that knows wins.
  std::string_view to;                    ///< Spoken between two numbers with a dash; empty: kept.
  bool spaced_dash_is_range;              ///< "10 - 20" as "10-20".
};

/// Appends `text` to `out` with its numbers in words, spaces put between them and letters.
void read_numbers(const NumberText& text, const NumberRules& rules, std::string& out);

}  // namespace seda::text
