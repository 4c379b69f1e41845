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

/// Adds gate · attention(norm(x) · (1 + scale) + shift), then the same with a feed-forward.
///
/// Shifts, scales and gates are linear in a row's vector and begin at zero: a new block changes
/// nothing.
class DecoderBlockImpl : public torch::nn::Module {
 public:
  /// Takes the dropout sites `first_site` and the next.
  DecoderBlockImpl(const ModelOptions& options, uint32_t first_site);

  void forward(Residual& x,               // [batch, frames, hidden]
               const torch::Tensor& row,  // [batch, hidden]
               const Sequence& sequence);

 private:
  DropoutOptions attention_dropout_;
  DropoutOptions feed_forward_dropout_;
  torch::nn::Linear modulation_ = nullptr;
  Attention attention_ = nullptr;
  FeedForward feed_forward_ = nullptr;
};
TORCH_MODULE(DecoderBlock);

/// What a mel is to be like.
struct Condition {
  torch::Tensor hidden;   ///< [batch, frames, hidden] States of the text.
  torch::Tensor mean;     ///< [batch, frames, n_mels] Expected mel.
  torch::Tensor speaker;  ///< [batch, hidden]

  /// Rows times `keep`, of 1 and 0.  // [batch]
  Condition kept(const torch::Tensor& keep) const;
};

/// Velocity of a noisy mel: a linear layer of mel, expected mel and text, a convolution, blocks
/// that know time and speaker, and a linear layer that begins at zero.
class DecoderImpl : public torch::nn::Module {
 public:
  DecoderImpl(const ModelOptions& options, uint32_t first_site);

  /// In the exact type.  // [batch, frames, n_mels]
  torch::Tensor forward(const torch::Tensor& mel,   // [batch, frames, n_mels] noisy
                        const torch::Tensor& time,  // [batch] in [0, 1]
                        const Condition& condition, const Sequence& sequence);

 private:
  torch::Tensor row_of(const torch::Tensor& time, const torch::Tensor& speaker);

  torch::nn::Linear input_ = nullptr;
  ConvLayer local_ = nullptr;
  torch::nn::Linear time_first_ = nullptr;
  torch::nn::Linear time_second_ = nullptr;
  torch::nn::Linear speaker_ = nullptr;
  torch::nn::ModuleList blocks_ = nullptr;
  torch::nn::Linear modulation_ = nullptr;
  torch::nn::Linear output_ = nullptr;
};
TORCH_MODULE(Decoder);

/// cos and sin of 1000 · time · 10000^(-i / (size / 2)).  // [batch] → [batch, size]
torch::Tensor time_waves(const torch::Tensor& time, int64_t size);

}  // namespace seda::model
