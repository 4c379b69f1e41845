// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/level.h"

#include <algorithm>
#include <cmath>

namespace seda::audio {

float peak_level(std::span<const float> samples) {
  float peak = 0;
  for (const float x : samples)
    peak = std::max(peak, std::abs(x));
  return peak;
}

double to_db(double factor) {
  return 20 * std::log10(factor);
}

double from_db(double db) {
  return std::pow(10.0, db / 20);
}

int64_t to_pcm16(std::span<const float> samples, float gain, std::vector<int16_t>& out) {
  out.resize(samples.size());
  const float scale = gain * 32768.0F;
  int64_t clipped = 0;
  for (size_t t = 0; t < samples.size(); ++t) {
    const float whole = std::nearbyint(samples[t] * scale);
    const float held = std::clamp(whole, -32768.0F, 32767.0F);
    clipped += whole != held ? 1 : 0;
    out[t] = static_cast<int16_t>(held);
  }
  return clipped;
}

}  // namespace seda::audio
