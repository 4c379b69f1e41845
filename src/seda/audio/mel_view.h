// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace seda::audio {

/// A log-mel spectrogram in memory: `[n_mels, frames]`, rows `stride` floats apart.
struct MelView {
  float* data = nullptr;
  size_t frames = 0;
  size_t stride = 0;
};

}  // namespace seda::audio
