// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace seda::audio {

constexpr int kGlyphWidth = 5;
constexpr int kGlyphHeight = 7;

/// Rows from the top; the highest of the five bits is the leftmost pixel.
using Glyph = std::array<uint8_t, kGlyphHeight>;

/// Letters, digits and the signs of numbers and file names; a box for anything else.
const Glyph& glyph_of(char character);

}  // namespace seda::audio
