// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "seda/model/sequence.h"

namespace seda::model {

/// What attention is to do beside attending.
struct AttentionOptions {
  bool rotary = true;  ///< Queries and keys are turned by their place.
  bool masked = true;  ///< Only real keys are seen; false: every place of every row is real.
};

/// Self-attention with rotary positions: softmax(q kᵀ / √head_size) v over real keys, then a linear
/// layer.  // [batch, time, hidden] → the same
class AttentionImpl : public torch::nn::Module {
 public:
  AttentionImpl(int64_t hidden_size, int64_t heads, const AttentionOptions& options = {});

  torch::Tensor forward(const torch::Tensor& x, const Sequence& sequence);

 private:
  torch::Tensor mixed(const torch::Tensor& qkv, const Sequence& sequence) const;

  int64_t heads_;
  AttentionOptions options_;
  torch::nn::Linear to_qkv_ = nullptr;
  torch::nn::Linear to_output_ = nullptr;
};
TORCH_MODULE(Attention);

}  // namespace seda::model
