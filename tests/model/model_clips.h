// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <torch/torch.h>

#include "seda/model/voice_model.h"

namespace seda::model::testing_support {

inline ModelOptions small_options() {
  ModelOptions options;
  options.symbols = 20;
  options.speakers = 3;
  options.languages = 2;
  options.n_mels = 6;
  options.hidden_size = 16;
  options.feed_forward_size = 24;
  options.encoder_layers = 2;
  options.decoder_layers = 2;
  options.heads = 2;
  options.mel_mean = -5;
  options.mel_deviation = 2;
  return options;
}

inline VoiceModel small_model(const ModelOptions& options = small_options(), uint64_t seed = 1) {
  torch::manual_seed(seed);
  return VoiceModel(options);
}

/// Every weight drawn anew, so that nothing is zero.
inline void shake(VoiceModel& model, uint64_t seed = 2) {
  const torch::NoGradGuard no_grad;
  torch::manual_seed(seed);
  for (auto& weight : model->parameters())
    weight.add_(torch::randn_like(weight) * 0.1);
}

inline Noise noise_of(int64_t update, uint64_t seed = 5) {
  return {seed, torch::tensor(update, torch::kInt64)};
}

inline torch::Tensor ints(const std::vector<int32_t>& values) {
  return torch::tensor(values, torch::kInt32);
}

/// Clips of the given lengths, drawn; padded to the longest and `more` beyond.
inline ModelBatch drawn_batch(const ModelOptions& options, const std::vector<int32_t>& tokens,
                              const std::vector<int32_t>& frames, int64_t more = 0) {
  torch::manual_seed(3);
  const auto rows = static_cast<int64_t>(tokens.size());
  const int64_t most_tokens = *std::ranges::max_element(tokens) + more;
  const int64_t most_frames = *std::ranges::max_element(frames) + more;
  ModelBatch batch;
  batch.mel = torch::randn({rows, options.n_mels, most_frames}) * 2 - 5;
  batch.tokens = torch::randint(1, options.symbols, {rows, most_tokens}, torch::kInt32);
  batch.mel_lengths = ints(frames);
  batch.token_lengths = ints(tokens);
  batch.speakers = torch::arange(rows, torch::kInt32).remainder(options.speakers);
  batch.languages = torch::arange(rows, torch::kInt32).remainder(options.languages);
  return batch;
}

/// Row `row` of a batch, without padding.
inline ModelBatch alone(const ModelBatch& batch, int64_t row) {
  const int64_t frames = batch.mel_lengths[row].item<int32_t>();
  const int64_t tokens = batch.token_lengths[row].item<int32_t>();
  const auto of = [&](const torch::Tensor& values) { return values.narrow(0, row, 1); };
  return {.mel = of(batch.mel).narrow(2, 0, frames),
          .tokens = of(batch.tokens).narrow(1, 0, tokens),
          .mel_lengths = of(batch.mel_lengths),
          .token_lengths = of(batch.token_lengths),
          .speakers = of(batch.speakers),
          .languages = of(batch.languages)};
}

inline SpeechBatch speech_of(const ModelBatch& batch) {
  SpeechBatch speech;
  speech.tokens = batch.tokens;
  speech.token_lengths = batch.token_lengths;
  speech.speakers = batch.speakers;
  speech.languages = batch.languages;
  return speech;
}

inline double largest_difference(const torch::Tensor& a, const torch::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

}  // namespace seda::model::testing_support
