// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "seda/audio/mel_options.h"

namespace seda::model {

/// The shape of a HiFi-GAN generator and the mels it was trained on, by the names of its published
/// config.json. What tensors tell (channels) is read from them.
struct HifiGanOptions {
  int resblock = 1;  ///< 1: two convolutions for each dilation; 2: one.
  std::vector<int> upsample_rates;
  std::vector<int> upsample_kernel_sizes;  ///< One for each rate.
  std::vector<int> resblock_kernel_sizes;
  std::vector<std::vector<int>> resblock_dilation_sizes;  ///< A list for each kernel size.

  /// From sampling_rate, n_fft, hop_size, win_size, num_mels, fmin and fmax (null: half the rate);
  /// the rest is as the published code has it, which is MelOptions' default.
  audio::MelOptions mel;

  bool operator==(const HifiGanOptions&) const = default;
};

/// What a file of weights says of itself: each value as JSON text under its name. A value that is
/// missing or cannot be is an Error(io) that names it, what was expected and what would write it.
HifiGanOptions read_hifigan_options(const std::map<std::string, std::string>& metadata);

/// Error(config) where the generator was trained on mels of another definition, with every value
/// that differs, as the vocoder's and as the voice's.
void check_vocoder_mel(const audio::MelOptions& vocoder, const audio::MelOptions& voice);

}  // namespace seda::model
