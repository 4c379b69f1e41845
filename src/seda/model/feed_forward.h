// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "seda/model/sequence.h"
#include "seda/model/time_conv.h"

namespace seda::model {

/// W₂ · GELU(conv₃(x) + b₁) + b₂ over real places, GELU by its tanh approximation.
/// [batch, time, hidden] → the same
class FeedForwardImpl : public torch::nn::Module {
 public:
  FeedForwardImpl(int64_t hidden_size, int64_t inner_size);

  torch::Tensor forward(const torch::Tensor& x, const Sequence& sequence);
  /// Of places that lie beside their real neighbours.  // [batch, time, 3 · hidden]
  torch::Tensor forward_of_three(const torch::Tensor& places, const Sequence& sequence);

 private:
  TimeConv widen_ = nullptr;
  torch::nn::Linear narrow_ = nullptr;
};
TORCH_MODULE(FeedForward);

}  // namespace seda::model
