// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/picture.h"

#include <algorithm>

#include "seda/audio/pixel_font.h"

namespace seda::audio {
namespace {

constexpr int kAdvance = kGlyphWidth + 1;

/// Whether the byte begins a character of UTF-8.
bool begins(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
}

}  // namespace

Picture::Picture(int width, int height, std::span<const Color> colors)
    : width_(width),
      height_(height),
      colors_(colors.begin(), colors.end()),
      pixels_(static_cast<size_t>(width) * static_cast<size_t>(height)) {}

void Picture::fill(int x, int y, int width, int height, uint8_t color) {
  const int left = std::clamp(x, 0, width_);
  const int right = std::clamp(x + width, left, width_);
  const int bottom = std::min(y + height, height_);
  for (int row = std::max(y, 0); row < bottom; ++row) {
    const auto first = pixels_.begin() + static_cast<std::ptrdiff_t>(place(left, row));
    std::fill_n(first, right - left, color);
  }
}

void Picture::write(int x, int y, std::string_view text, uint8_t color, int scale) {
  for (const char character : text) {
    if (!begins(character)) continue;
    const Glyph& glyph = glyph_of(character);
    for (int row = 0; row < kGlyphHeight; ++row) {
      for (int column = 0; column < kGlyphWidth; ++column) {
        const int bit = kGlyphWidth - 1 - column;
        if ((glyph[static_cast<size_t>(row)] >> bit & 1) == 0) continue;
        fill(x + column * scale, y + row * scale, scale, scale, color);
      }
    }
    x += kAdvance * scale;
  }
}

int text_width(std::string_view text, int scale) {
  const auto characters = static_cast<int>(std::ranges::count_if(text, begins));
  return std::max(0, characters * kAdvance - 1) * scale;
}

}  // namespace seda::audio
