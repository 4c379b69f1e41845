// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "seda/device/stream.h"
#include "seda/model/model_options.h"
#include "seda/model/speech_request.h"
#include "seda/train/model_facts.h"

namespace seda::train {

struct VoiceOptions {
  model::ModelOptions model;
  device::StreamView stream;
  bool mixed_precision = false;  ///< Weights and products are bf16.
  /// On the CPU called between layers: what it throws ends the call, and no more than that.
  std::function<void()> heed{};  // NOLINT: g++ wants it where others are named
};

/// A model that speaks.
///
/// One thread; each call waits for its result.
class Voice {
 public:
  virtual ~Voice() = default;

  virtual ModelFacts facts() const = 0;
  virtual std::vector<model::SpokenMel> speak(std::span<const model::SpeechRequest> requests,
                                              const model::SpeechOptions& options) = 0;
};

}  // namespace seda::train
