// SPDX-License-Identifier: Apache-2.0
#include "seda/train/alignment_picture.h"

#include <algorithm>
#include <array>

namespace seda::train {
namespace {

constexpr std::array<audio::Color, 3> kColors = {{{68, 1, 84}, {253, 231, 37}, {255, 255, 255}}};
constexpr uint8_t kPath = 1;
constexpr uint8_t kText = 2;
constexpr int kTitleHeight = 20;
constexpr int kLeastSide = 256;

/// Pixels of each of `count` so that all together are not too small to look at.
int scale(int count) {
  return std::max(1, kLeastSide / std::max(1, count));
}

}  // namespace

audio::Picture draw_alignment(const AlignedClip& clip, std::string_view title) {
  const auto tokens = static_cast<int>(clip.durations.size());
  const int wide = scale(clip.frames);
  const int high = scale(tokens);
  const int height = kTitleHeight + std::max(1, tokens) * high;
  audio::Picture picture(std::max(1, clip.frames) * wide, height, kColors);
  picture.write(4, 4, title, kText, 1);
  int frame = 0;
  for (int token = 0; token < tokens; ++token) {
    const int duration = clip.durations[static_cast<size_t>(token)];
    picture.fill(frame * wide, height - (token + 1) * high, duration * wide, high, kPath);
    frame += duration;
  }
  return picture;
}

}  // namespace seda::train
