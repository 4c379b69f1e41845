// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "seda/audio/sound_reader.h"
#include "seda/base/random.h"

namespace seda::audio {

inline SoundOptions at_rate(int rate) {
  SoundOptions options;
  options.sample_rate = rate;
  return options;
}

inline std::vector<int16_t> samples_of(const Result<Sound>& sound) {
  const auto samples = sound.value().samples;
  return {samples.begin(), samples.end()};
}

inline std::vector<int16_t> random_samples(size_t count) {
  Random random(7);
  std::vector<int16_t> samples(count);
  for (auto& sample : samples)
    sample = static_cast<int16_t>(random.below(65536));
  return samples;
}

/// Mean of the channels, rounded to 16 bits, in double precision.
inline std::vector<int16_t> reference(const std::vector<double>& frames, int channels) {
  std::vector<int16_t> out;
  for (size_t t = 0; t < frames.size(); t += static_cast<size_t>(channels)) {
    double sum = 0;
    for (size_t c = 0; c < static_cast<size_t>(channels); ++c)
      sum += frames[t + c];
    out.push_back(static_cast<int16_t>(
        std::clamp(std::nearbyint(sum / channels * 32768), -32768.0, 32767.0)));
  }
  return out;
}

/// Power of `want` over power of the difference, dB, 100 ms from the ends on.
inline double signal_to_noise(std::span<const int16_t> got, std::span<const int16_t> want,
                              int rate) {
  const auto skip = static_cast<size_t>(rate) / 10;
  double signal = 0;
  double noise = 1e-9;
  for (size_t t = skip; t + skip < std::min(got.size(), want.size()); ++t) {
    signal += std::pow(static_cast<double>(want[t]), 2);
    noise += std::pow(static_cast<double>(got[t] - want[t]), 2);
  }
  return 10 * std::log10(signal / noise);
}

inline int largest_difference(std::span<const int16_t> a, std::span<const int16_t> b) {
  int largest = 0;
  for (size_t t = 0; t < a.size(); ++t)
    largest = std::max(largest, std::abs(a[t] - b[t]));
  return largest;
}

}  // namespace seda::audio
