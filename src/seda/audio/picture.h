// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seda::audio {

struct Color {
  uint8_t red = 0;
  uint8_t green = 0;
  uint8_t blue = 0;

  bool operator==(const Color&) const = default;
};

/// A picture of at most 256 colours: each pixel is the number of one.
class Picture {
 public:
  /// All pixels are 0.
  Picture(int width, int height, std::span<const Color> colors);

  int width() const noexcept { return width_; }
  int height() const noexcept { return height_; }
  std::span<const Color> colors() const noexcept { return colors_; }
  std::span<const uint8_t> pixels() const noexcept { return pixels_; }  ///< Row by row, top first.

  uint8_t at(int x, int y) const { return pixels_[place(x, y)]; }

  /// Fills a rectangle, cut to the picture.
  void fill(int x, int y, int width, int height, uint8_t color);

  /// Writes a line of text whose top left corner is at (x, y). Each character takes `scale` times 6
  /// by 7 pixels; one that the font has not is a box.
  void write(int x, int y, std::string_view text, uint8_t color, int scale);

 private:
  size_t place(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x);
  }

  int width_;
  int height_;
  std::vector<Color> colors_;
  std::vector<uint8_t> pixels_;
};

/// Width of a line of text, without the gap after its last character.
int text_width(std::string_view text, int scale);

/// The picture as a PNG file: the same bytes for the same picture.
std::string png_bytes(const Picture& picture);

}  // namespace seda::audio
