// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace seda::model {

/// A log-mel spectrogram with its memory.
struct MelData {
  int n_mels = 0;
  int frames = 0;
  std::vector<float> values;  ///< [n_mels, frames]
};

/// What a model is to say, once.
struct SpeechRequest {
  std::vector<int32_t> tokens;
  int32_t speaker = 0;  ///< Row of the table; not looked at with a reference.
  int32_t language = 0;
  MelData reference;  ///< Speak like this clip; without frames: like `speaker`.
};

enum class Solver { euler, midpoint };

/// How it says it.
struct SpeechOptions {
  int steps = 10;  ///< Of the solver.
  Solver solver = Solver::euler;
  double temperature = 0.667;  ///< Size of the noise that speech begins with.
  double rate = 1;             ///< 2: twice as fast.
  double guidance = 0;         ///< Classifier-free; 0: none.
  uint64_t seed = 0;
};

/// What it said.
struct SpokenMel {
  MelData mel;
  std::vector<int32_t> durations;  ///< Frames of each token.
};

}  // namespace seda::model
