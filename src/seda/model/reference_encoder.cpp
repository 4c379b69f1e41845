// SPDX-License-Identifier: Apache-2.0
#include "seda/model/reference_encoder.h"

#include "seda/model/masks.h"

namespace seda::model {
namespace {

constexpr int kLayers = 3;
constexpr double kLeastVariance = 1e-4;

/// Mean and deviation over time, in the exact type.  // [batch, 2 · channels]
torch::Tensor pooled(const torch::Tensor& x, const torch::Tensor& keep) {
  const auto values = x.to(exact_type(x.scalar_type()));
  const auto weights = keep / keep.sum(1, true).clamp_min(1);  // [batch, time, 1]
  const auto mean = (values * weights).sum(1, true);
  const auto variance = ((values - mean).square() * weights).sum(1, true);
  const auto deviation = (variance + kLeastVariance).sqrt();
  return torch::cat({mean, deviation}, 2).squeeze(1);
}

}  // namespace

ReferenceEncoderImpl::ReferenceEncoderImpl(const ModelOptions& options)
    : layers_(register_module("layers", torch::nn::ModuleList())),
      to_voice_(register_module("to_voice",
                                torch::nn::Linear(2 * options.hidden_size, options.hidden_size))) {
  for (int i = 0; i < kLayers; ++i) {
    const int64_t inputs = i == 0 ? options.n_mels : options.hidden_size;
    layers_->push_back(
        ConvLayer(ConvLayerOptions{.inputs = inputs, .outputs = options.hidden_size}));
  }
}

torch::Tensor ReferenceEncoderImpl::forward(const torch::Tensor& mel, const torch::Tensor& lengths,
                                            bool fused) {
  const auto type = to_voice_->weight.scalar_type();
  Sequence sequence;
  sequence.real = length_mask(lengths, mel.size(1));
  sequence.keep = sequence.real.unsqueeze(2).to(type);
  sequence.lengths = lengths.to(torch::kInt32);
  sequence.fused = fused;
  auto x = mel.to(type);
  for (const auto& layer : *layers_)
    x = layer->as<ConvLayer>()->forward(x, sequence);
  const auto keep = sequence.real.unsqueeze(2).to(exact_type(type));
  return to_voice_->forward(pooled(x, keep).to(type));
}

}  // namespace seda::model
