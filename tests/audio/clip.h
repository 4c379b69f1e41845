// SPDX-License-Identifier: Apache-2.0
// Sound for tests: made, or read from the published clips.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include "seda/audio/wav_info.h"
#include "seda/base/file.h"
#include "seda/base/random.h"
#include "tests/support/shared_data.h"

namespace seda::audio::testing_support {

/// Tones that come and go over a little noise, at full range.
inline std::vector<int16_t> made_clip(size_t samples, uint64_t seed = 1) {
  Random random(seed);
  std::vector<int16_t> clip(samples);
  for (size_t i = 0; i < samples; ++i) {
    const double t = static_cast<double>(i) / 22050;
    const double envelope = 0.5 + 0.5 * std::sin(2 * std::numbers::pi * 3 * t);
    double value = 0;
    for (const double hertz : {110.0, 220.0, 331.0, 1200.0, 3500.0, 7700.0})
      value += envelope * std::sin(2 * std::numbers::pi * hertz * t) / std::sqrt(hertz);
    value = 3 * value + 0.01 * (random.uniform() - 0.5);
    clip[i] = static_cast<int16_t>(std::lround(std::clamp(value, -1.0, 1.0) * 32767));
  }
  return clip;
}

inline std::vector<float> to_floats(const std::vector<int16_t>& clip) {
  std::vector<float> floats;
  for (const int16_t sample : clip)
    floats.push_back(static_cast<float>(sample) / 32768);
  return floats;
}

inline std::filesystem::path published_clip(const std::string& name) {
  return seda::testing_support::shared_data() / "ljspeech32" / "wavs" / (name + ".wav");
}

/// Samples of a 16-bit mono wav file.
inline std::vector<int16_t> read_clip(const std::filesystem::path& path) {
  const WavInfo info = read_wav_info(path).value();
  const std::string content = read_file(path);
  std::vector<int16_t> clip(info.frames);
  std::memcpy(clip.data(), content.data() + info.data_offset, clip.size() * sizeof(int16_t));
  return clip;
}

}  // namespace seda::audio::testing_support
