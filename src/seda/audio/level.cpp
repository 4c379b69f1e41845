// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/level.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace seda::audio {
namespace {

constexpr float kBeyond = 65536;  // held here first, so that any number can be rounded

/// By value, unlike the library's: compilers then need no branch, and use vectors.
float held_within(float x, float least, float most) {
  const float above = x < least ? least : x;
  return above > most ? most : above;
}

/// To the nearest whole number, halves to even; exact to 2^22. For the same reason not the
/// library's.
float rounded(float x) {
  constexpr float kShift = 0x1.8p23F;  // from here on floats are whole
  return (x + kShift) - kShift;
}

}  // namespace

float peak_level(std::span<const float> samples) {
  uint32_t most = 0;  // without their sign, floats are in the order of their bits
  for (const float x : samples)
    most = std::max(most, std::bit_cast<uint32_t>(x) & 0x7fffffffu);
  return std::bit_cast<float>(most);
}

double to_db(double factor) {
  return 20 * std::log10(factor);
}

double from_db(double db) {
  return std::pow(10.0, db / 20);
}

int64_t to_pcm16(std::span<const float> samples, float gain, std::vector<int16_t>& out) {
  out.resize(samples.size());
  int16_t* const target = out.data();
  const float scale = gain * 32768.0F;
  uint32_t clipped = 0;
  for (size_t t = 0; t < samples.size(); ++t) {
    const float whole = rounded(held_within(samples[t] * scale, -kBeyond, kBeyond));
    const float held = held_within(whole, -32768.0F, 32767.0F);
    clipped += whole != held ? 1u : 0u;
    target[t] = static_cast<int16_t>(static_cast<int32_t>(held));
  }
  return clipped;
}

}  // namespace seda::audio
