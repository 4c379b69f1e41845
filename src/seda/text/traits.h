// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace seda::text {

/// What a line contains, found in one pass over its bytes, so that steps without work are skipped.
enum Trait : uint32_t {
  kDigit = 1U << 0U,
  kUpper = 1U << 1U,
  kPoint = 1U << 2U,    ///< A full stop or an ellipsis.
  kControl = 1U << 3U,  ///< Below space, or DEL.
  kSymbol = 1U << 5U,   ///< ASCII that is no letter, digit, space or usual punctuation.
  kMark = 1U << 6U,     ///< ASCII punctuation.
  kBeyondAscii = 1U << 7U,
  kSpace = 1U << 8U,
  kUpperPair = 1U << 9U,    ///< Two capitals, or a capital and a point, side by side.
  kLooseSpace = 1U << 10U,  ///< Two spaces together, or one at an end, or before a mark.
  kRepeat = 1U << 11U,      ///< Two marks side by side, or a mark alone among spaces.
  kAnything = ~0U,
};

uint32_t traits_of(std::string_view line);

}  // namespace seda::text
