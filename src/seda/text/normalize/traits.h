// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace seda::text {

/// What a line contains, as bits found in one pass over its bytes, so that steps without work are
/// skipped.
using Traits = uint32_t;

constexpr Traits kDigit = 1U << 0U;
constexpr Traits kUpper = 1U << 1U;
constexpr Traits kPoint = 1U << 2U;    ///< A full stop.
constexpr Traits kControl = 1U << 3U;  ///< Below space, or DEL.
constexpr Traits kSymbol = 1U << 4U;   ///< ASCII: no letter, digit, space or usual punctuation.
constexpr Traits kMark = 1U << 5U;     ///< ASCII punctuation.
constexpr Traits kBeyondAscii = 1U << 6U;
constexpr Traits kSpace = 1U << 7U;
constexpr Traits kUpperPair = 1U << 8U;  ///< Two capitals, or a capital and a point, together.
constexpr Traits kLooseSpace =
    1U << 9U;                          ///< Two spaces together, or one at an end or before a mark.
constexpr Traits kRepeat = 1U << 10U;  ///< Two marks together, or a mark after a space.

Traits traits_of(std::string_view line);

}  // namespace seda::text
