// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "seda/device/stream.h"
#include "seda/model/speech_request.h"

namespace seda::train {

struct VocoderOptions {
  device::StreamView stream;
  bool mixed_precision = false;  ///< Products of a vocoder that seda trained are bf16.
  std::function<void()> heed{};  ///< As of VoiceOptions. NOLINT: g++ wants it there
};

/// Sound from mels, by a network.
class NeuralVocoder {
 public:
  virtual ~NeuralVocoder() = default;

  virtual int n_mels() const = 0;
  virtual int hop_length() const = 0;  ///< Samples for each frame.

  /// As many samples as frames · hop_length for each mel, in [-1, 1].
  virtual std::vector<std::vector<float>> apply(std::span<const model::MelData> mels) = 0;
};

}  // namespace seda::train
