// SPDX-License-Identifier: Apache-2.0
#include "seda/model/text_encoder.h"

#include <cmath>

#include "seda/model/linear.h"

namespace seda::model {
namespace {

constexpr int kPrenetLayers = 3;
constexpr uint32_t kSitesOfEncoderBlock = 2;

torch::nn::LayerNorm layer_norm(int64_t size) {
  return torch::nn::LayerNorm(torch::nn::LayerNormOptions({size}));
}

}  // namespace

EncoderBlockImpl::EncoderBlockImpl(const ModelOptions& options, uint32_t first_site)
    : attention_dropout_{.rate = options.dropout, .site = first_site},
      feed_forward_dropout_{.rate = options.dropout, .site = first_site + 1},
      attention_norm_(register_module("attention_norm", layer_norm(options.hidden_size))),
      attention_(register_module("attention", Attention(options.hidden_size, options.heads))),
      feed_forward_norm_(register_module("feed_forward_norm", layer_norm(options.hidden_size))),
      feed_forward_(register_module("feed_forward",
                                    FeedForward(options.hidden_size, options.feed_forward_size))) {}

void EncoderBlockImpl::forward(Residual& x, const Sequence& sequence) {
  x.add(attention_->forward(x.norm(scale_of(attention_norm_)), sequence), attention_dropout_);
  x.add(feed_forward_->forward_of_three(x.norm_of_three(scale_of(feed_forward_norm_)), sequence),
        feed_forward_dropout_);
}

TextEncoderImpl::TextEncoderImpl(const ModelOptions& options, uint32_t first_site)
    : scale_(std::sqrt(options.hidden_size)),
      symbols_(
          register_module("symbols", torch::nn::Embedding(options.symbols, options.hidden_size))),
      languages_(register_module("languages",
                                 torch::nn::Embedding(options.languages, options.hidden_size))),
      speaker_(
          register_module("speaker", torch::nn::Linear(options.hidden_size, options.hidden_size))),
      prenet_(register_module("prenet", torch::nn::ModuleList())),
      blocks_(register_module("blocks", torch::nn::ModuleList())),
      norm_(register_module("norm", layer_norm(options.hidden_size))),
      to_mel_(register_module("to_mel", torch::nn::Linear(options.hidden_size, options.n_mels))) {
  const torch::NoGradGuard no_grad;
  const int64_t hidden = options.hidden_size;
  symbols_->weight.normal_(0, 1 / scale_);
  languages_->weight.normal_(0, 0.1);
  to_mel_->weight.zero_();
  to_mel_->bias.zero_();
  for (int i = 0; i < kPrenetLayers; ++i) {
    prenet_->push_back(ConvLayer(ConvLayerOptions{.inputs = hidden, .outputs = hidden}));
  }
  for (int i = 0; i < options.encoder_layers; ++i) {
    blocks_->push_back(
        EncoderBlock(options, first_site + kSitesOfEncoderBlock * static_cast<uint32_t>(i)));
  }
}

torch::Tensor TextEncoderImpl::embedded(const TextInput& input, const Sequence& sequence) {
  const auto tokens = input.tokens.masked_fill(~sequence.real, 0);
  const auto row = languages_->forward(input.languages) + speaker_->forward(input.speaker);
  return symbols_->forward(tokens) * scale_ + row.unsqueeze(1);
}

TextStates TextEncoderImpl::forward(const TextInput& input, const Sequence& sequence) {
  Residual x(embedded(input, sequence), sequence);
  for (const auto& layer : *prenet_)
    layer->as<ConvLayer>()->add_to(x, sequence);
  for (const auto& block : *blocks_)
    block->as<EncoderBlock>()->forward(x, sequence);
  const auto hidden = x.norm(scale_of(norm_));
  return {hidden,
          apply_linear(to_mel_, hidden, sequence.fused).to(exact_type(hidden.scalar_type()))};
}

}  // namespace seda::model
