// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <torch/torch.h>

#include "seda/model/attention.h"
#include "seda/model/conv_layer.h"
#include "seda/model/dropout.h"
#include "seda/model/feed_forward.h"
#include "seda/model/model_options.h"
#include "seda/model/residual.h"
#include "seda/model/sequence.h"

namespace seda::model {

/// Adds attention(norm(x)), then feed_forward(norm(x)).
class EncoderBlockImpl : public torch::nn::Module {
 public:
  /// Takes the dropout sites `first_site` and the next.
  EncoderBlockImpl(const ModelOptions& options, uint32_t first_site);

  void forward(Residual& x, const Sequence& sequence);

 private:
  DropoutOptions attention_dropout_;
  DropoutOptions feed_forward_dropout_;
  torch::nn::LayerNorm attention_norm_ = nullptr;
  Attention attention_ = nullptr;
  torch::nn::LayerNorm feed_forward_norm_ = nullptr;
  FeedForward feed_forward_ = nullptr;
};
TORCH_MODULE(EncoderBlock);

/// What is to be said, as the encoder is given it.
struct TextInput {
  torch::Tensor tokens;     ///< [batch, tokens] int32; padding may hold anything.
  torch::Tensor languages;  ///< [batch] int32
  torch::Tensor speaker;    ///< [batch, hidden]
};

/// What the encoder makes of a text.
struct TextStates {
  torch::Tensor hidden;  ///< [batch, tokens, hidden]
  torch::Tensor mean;    ///< [batch, tokens, n_mels] Of the mel frames of each token, fp32.
};

/// √hidden · symbol + language + W · speaker, three convolutions, blocks, a norm; and a linear
/// layer to mels, which begins at zero: until it has learned, no token explains a frame better than
/// another.
class TextEncoderImpl : public torch::nn::Module {
 public:
  TextEncoderImpl(const ModelOptions& options, uint32_t first_site);

  TextStates forward(const TextInput& input, const Sequence& sequence);

 private:
  torch::Tensor embedded(const TextInput& input, const Sequence& sequence);

  double scale_;
  torch::nn::Embedding symbols_ = nullptr;
  torch::nn::Embedding languages_ = nullptr;
  torch::nn::Linear speaker_ = nullptr;
  torch::nn::ModuleList prenet_ = nullptr;
  torch::nn::ModuleList blocks_ = nullptr;
  torch::nn::LayerNorm norm_ = nullptr;
  torch::nn::Linear to_mel_ = nullptr;
};
TORCH_MODULE(TextEncoder);

}  // namespace seda::model
