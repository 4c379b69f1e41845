// SPDX-License-Identifier: Apache-2.0
// An engine with a model small enough for a test.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "seda/train/engine/engine_torch.h"
#include "tests/train/batches.h"

namespace seda::train::testing_support {

constexpr feed::BatchShape kShape{.batch = 4, .tokens = 6, .frames = 24, .n_mels = 8};

inline EngineOptions small_options(const Place& place) {
  EngineOptions options;
  options.model = {.symbols = kSymbols,
                   .speakers = 8,
                   .languages = 1,
                   .n_mels = kShape.n_mels,
                   .hidden_size = 16,
                   .feed_forward_size = 32,
                   .encoder_layers = 1,
                   .decoder_layers = 1,
                   .heads = 2,
                   .dropout = 0.1,
                   .mel_mean = -5,
                   .mel_deviation = 2};
  options.stream = place.stream;
  options.seed = 3;
  return options;
}

inline model::SpeechRequest request(std::vector<int32_t> tokens, int32_t speaker = 0,
                                    int32_t language = 0, model::MelData reference = {}) {
  return {.tokens = std::move(tokens),
          .speaker = speaker,
          .language = language,
          .reference = std::move(reference)};
}

/// Updates `[first, last)` with one batch each; what they left.
inline std::vector<StepLosses> train(Engine& engine, const feed::Batch& batch, uint64_t first,
                                     uint64_t last, double lr = 1e-3) {
  for (uint64_t update = first; update < last; ++update)
    engine.step(batch, {.update = update, .part = 0, .lr = lr});
  return engine.collect(0);
}

inline std::vector<float> totals(const std::vector<StepLosses>& losses) {
  std::vector<float> values;
  for (const StepLosses& loss : losses)
    values.push_back(loss.total);
  return values;
}

}  // namespace seda::train::testing_support
