// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/color_map.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace seda::audio {
namespace {

// Lightness from 0.13 to 0.97 in equal steps, hue from 278° over 0° to 100°.
constexpr std::array<Color, 9> kAnchors = {{{5, 2, 33},
                                            {41, 4, 75},
                                            {91, 6, 100},
                                            {145, 19, 103},
                                            {194, 52, 91},
                                            {227, 99, 77},
                                            {240, 153, 92},
                                            {242, 204, 148},
                                            {249, 246, 225}}};

uint8_t between(uint8_t from, uint8_t to, double share) {
  return static_cast<uint8_t>(std::lround(from + (to - from) * share));
}

}  // namespace

Color map_color(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * (kAnchors.size() - 1);
  const size_t i = std::min(static_cast<size_t>(place), kAnchors.size() - 2);
  const double rest = place - static_cast<double>(i);
  const Color& from = kAnchors[i];
  const Color& to = kAnchors[i + 1];
  return {between(from.red, to.red, rest), between(from.green, to.green, rest),
          between(from.blue, to.blue, rest)};
}

}  // namespace seda::audio
