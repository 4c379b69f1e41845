// SPDX-License-Identifier: Apache-2.0
#include "seda/model/model_cost.h"

#include <algorithm>

namespace seda::model {
namespace {

// As the modules of the same names have them.
constexpr int64_t kConvKernel = 5;
constexpr int64_t kDurationKernel = 3;
constexpr int64_t kFeedForwardKernel = 3;
constexpr int64_t kReferenceLayers = 3;
constexpr int64_t kPrenetLayers = 3;
constexpr int64_t kMostReferenceFrames = 192;

int64_t linear(int64_t inputs, int64_t outputs) {
  return inputs * outputs + outputs;
}

int64_t layer_norm(int64_t size) {
  return 2 * size;
}

int64_t conv_layer(int64_t inputs, int64_t outputs, int64_t kernel) {
  return linear(kernel * inputs, outputs) + layer_norm(outputs);
}

int64_t attention(int64_t hidden) {
  return linear(hidden, 3 * hidden) + linear(hidden, hidden);
}

int64_t feed_forward(int64_t hidden, int64_t inner) {
  return linear(kFeedForwardKernel * hidden, inner) + linear(inner, hidden);
}

int64_t reference_encoder(int64_t hidden, int64_t n_mels) {
  return conv_layer(n_mels, hidden, kConvKernel) +
         (kReferenceLayers - 1) * conv_layer(hidden, hidden, kConvKernel) +
         linear(2 * hidden, hidden);
}

int64_t text_encoder(const ModelOptions& options) {
  const int64_t hidden = options.hidden_size;
  const int64_t block =
      attention(hidden) + feed_forward(hidden, options.feed_forward_size) + 2 * layer_norm(hidden);
  return (options.symbols + options.languages) * hidden + linear(hidden, hidden) +
         kPrenetLayers * conv_layer(hidden, hidden, kConvKernel) + options.encoder_layers * block +
         layer_norm(hidden) + linear(hidden, options.n_mels);
}

int64_t duration_predictor(int64_t hidden) {
  return linear(hidden, hidden) + 2 * conv_layer(hidden, hidden, kDurationKernel) +
         linear(hidden, 1);
}

int64_t decoder(const ModelOptions& options) {
  const int64_t hidden = options.hidden_size;
  const int64_t block = linear(hidden, 6 * hidden) + attention(hidden) +
                        feed_forward(hidden, options.feed_forward_size);
  return linear(2 * int64_t{options.n_mels} + hidden, hidden) +
         conv_layer(hidden, hidden, kConvKernel) + 3 * linear(hidden, hidden) +
         options.decoder_layers * block + linear(hidden, 2 * hidden) +
         linear(hidden, options.n_mels);
}

}  // namespace

int64_t parameter_count(const ModelOptions& options) {
  const int64_t hidden = options.hidden_size;
  return options.speakers * hidden + reference_encoder(hidden, options.n_mels) +
         text_encoder(options) + duration_predictor(hidden) + decoder(options);
}

double step_flops(const ModelOptions& options, const StepShape& shape) {
  const int64_t hidden = options.hidden_size;
  const int64_t mels = options.n_mels;
  const int64_t square = hidden * hidden;
  // Weights that are multiplied with at each token, frame, frame of a reference, and row.
  const int64_t block = 4 * square + (kFeedForwardKernel + 1) * hidden * options.feed_forward_size;
  const int64_t of_token = kPrenetLayers * kConvKernel * square + options.encoder_layers * block +
                           hidden * mels + 2 * kDurationKernel * square + hidden;
  const int64_t of_frame = (2 * mels + hidden) * hidden + kConvKernel * square +
                           options.decoder_layers * block + hidden * mels;
  const int64_t of_reference = kConvKernel * (mels * hidden + (kReferenceLayers - 1) * square);
  const int64_t of_row = (2 + 1 + 1 + 3 + 6 * options.decoder_layers + 2) * square;
  const int64_t weights = of_token * shape.tokens + of_frame * shape.frames +
                          of_reference * std::min(shape.frames, kMostReferenceFrames) + of_row;
  // Scores, and values mixed by them: each as wide as a row of states.
  const int64_t attention = 2 * hidden *
                            (options.encoder_layers * shape.tokens * shape.tokens +
                             options.decoder_layers * shape.frames * shape.frames);
  return 6.0 * static_cast<double>(shape.rows) * static_cast<double>(weights + attention);
}

}  // namespace seda::model
