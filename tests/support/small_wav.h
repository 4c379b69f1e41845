// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "seda/audio/wav_writer.h"

namespace seda::testing_support {

/// A wav file of a tenth of a second, another for each number.
inline std::string small_wav(int number) {
  std::vector<int16_t> samples;
  for (int t = 0; t < 2205; ++t) {
    const double phase = (0.05 + 0.001 * (number % 100)) * t;
    samples.push_back(static_cast<int16_t>(std::lrint((5000 + number) * std::sin(phase))));
  }
  return audio::wav_bytes(samples, 22050);
}

}  // namespace seda::testing_support
