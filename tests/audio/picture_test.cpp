// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/picture.h"

#include <map>

#include <gtest/gtest.h>

#include "seda/audio/color_map.h"
#include "tests/audio/decoded_png.h"

namespace seda::audio {
namespace {

using testing_support::decode_png;
using testing_support::DecodedPng;

const std::vector<Color> kColors = {{255, 255, 255}, {0, 0, 0}, {200, 10, 30}};

TEST(Picture, ComesBackFromPng) {
  Picture picture(13, 7, kColors);
  picture.fill(2, 3, 4, 2, 2);
  picture.fill(12, 6, 1, 1, 1);
  const DecodedPng decoded = decode_png(png_bytes(picture));
  ASSERT_EQ(decoded.width, 13);
  ASSERT_EQ(decoded.height, 7);
  for (int y = 0; y < 7; ++y) {
    for (int x = 0; x < 13; ++x)
      EXPECT_EQ(decoded.at(x, y), kColors[picture.at(x, y)]) << x << ", " << y;
  }
}

TEST(Picture, TheSamePictureIsTheSameBytes) {
  Picture picture(100, 50, kColors);
  picture.write(3, 3, "Time 0.5 s", 1, 2);
  EXPECT_EQ(png_bytes(picture), png_bytes(picture));
}

TEST(Picture, FillingIsCutToThePicture) {
  Picture picture(4, 3, kColors);
  picture.fill(-5, -5, 7, 6, 1);
  picture.fill(3, 2, 100, 100, 2);
  picture.fill(9, 9, 5, 5, 2);
  picture.fill(-9, -9, 2, 2, 2);
  const std::vector<uint8_t> expected = {1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2};
  EXPECT_EQ(std::vector(picture.pixels().begin(), picture.pixels().end()), expected);
}

/// The text of a picture, a row of pixels on a line.
std::string drawn(std::string_view text, int scale = 1) {
  Picture picture(text_width(text, scale), 7 * scale, kColors);
  picture.write(0, 0, text, 1, scale);
  std::string out;
  for (int y = 0; y < picture.height(); ++y) {
    for (int x = 0; x < picture.width(); ++x)
      out += picture.at(x, y) == 1 ? '#' : '.';
    out += '\n';
  }
  return out;
}

TEST(Picture, WritesLettersOfFiveBySevenPixels) {
  EXPECT_EQ(drawn("L1"),
            "#.......#..\n"
            "#......##..\n"
            "#.......#..\n"
            "#.......#..\n"
            "#.......#..\n"
            "#.......#..\n"
            "#####..###.\n");
  EXPECT_EQ(text_width("L1", 3), 33);
  EXPECT_EQ(text_width("", 3), 0);
}

TEST(Picture, EveryGlyphDiffersFromTheOthers) {
  std::map<std::string, char> seen;
  for (const char c : std::string_view(
           "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz .,-+_/:()=")) {
    const auto [found, fresh] = seen.emplace(drawn(std::string(1, c)), c);
    EXPECT_TRUE(fresh) << c << " looks like " << found->second;
  }
}

TEST(Picture, LettersItHasNotAreBoxesOneForEach) {
  EXPECT_EQ(drawn("ص"), drawn("@"));
  EXPECT_EQ(text_width("صدا", 1), 17);
  EXPECT_EQ(drawn("@").substr(0, 6), "#####\n");
}

TEST(Picture, LargerLettersAreTheSameLetters) {
  const std::string small = drawn("s");
  const std::string large = drawn("s", 2);
  for (size_t y = 0; y < 7; ++y) {
    for (size_t x = 0; x < 5; ++x)
      EXPECT_EQ(small[y * 6 + x], large[2 * y * 11 + 2 * x]);
  }
}

TEST(ColorMap, GetsBrighterAllTheWay) {
  const auto luminance = [](const Color& c) {
    return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue;
  };
  double last = -1;
  for (int i = 0; i <= 50; ++i) {
    const double now = luminance(map_color(i / 50.0));
    EXPECT_GT(now, last) << i;
    last = now;
  }
  EXPECT_LT(luminance(map_color(0)), 10);
  EXPECT_GT(luminance(map_color(1)), 240);
}

TEST(ColorMap, HoldsAtItsEnds) {
  EXPECT_EQ(map_color(-3), map_color(0));
  EXPECT_EQ(map_color(1.5), map_color(1));
}

}  // namespace
}  // namespace seda::audio
