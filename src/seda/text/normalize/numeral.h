// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace seda::text {

/// How a language writes numbers.
struct Separators {
  char group = ',';
  char decimal = '.';
};

/// A number as it is written: digits, groups of three, decimals.
struct Numeral {
  std::string whole;          ///< Digits without separators; empty for ".5".
  std::string_view decimals;  ///< Digits after the point.
  bool grouped = false;
  size_t end = 0;  ///< Just past it; 0 where there is no number.

  explicit operator bool() const { return end != 0; }
  bool is_integer() const { return decimals.empty(); }
  /// Small enough to be named; longer ones are read digit by digit.
  bool is_nameable() const { return whole.size() <= 18; }
  bool has_leading_zero() const { return whole.size() > 1 && whole[0] == '0'; }
  uint64_t value() const;  ///< Of the whole part; only where `is_nameable`.
};

/// The numeral that begins at `at`. Groups must be of three digits, after one to three.
Numeral parse_numeral(std::string_view text, size_t at, Separators separators = {});

/// The value of up to 18 digits.
uint64_t to_value(std::string_view digits);

/// `text` with the digits of every script as ASCII, vulgar fractions as "1/2", Persian decimal,
/// thousands and percent signs, a comma between digits and the quote before a year as ASCII.
std::string fold_digits(std::string_view text);

/// Whether there is anything in `text` that `fold_digits` makes a digit.
bool has_digits(std::string_view text);

}  // namespace seda::text
