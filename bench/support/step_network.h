// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <torch/torch.h>

#include "seda/model/attention.h"
#include "seda/model/residual.h"

namespace seda::bench {

constexpr int64_t kStepBatch = 32;
constexpr int64_t kStepFrames = 800;
constexpr int64_t kStepMels = 80;
constexpr int64_t kStepHeadSize = 64;

/// One of the compared sizes.
struct StepSize {
  int64_t width = 0;
  int64_t layers = 0;
};

/// Operations of the products of one step, forward and backward, a multiplication and an addition
/// counted as two: what the network needs, whatever is computed beside it.
double step_flops(const StepSize& size);

/// x + W₂ attention(W₁ norm(x)), then x + W₄ GELU(W₃ norm(x)), with biases; GELU by its tanh
/// approximation, four times as wide inside.  // [batch, time, width] → the same
class StepBlockImpl : public torch::nn::Module {
 public:
  explicit StepBlockImpl(int64_t width);

  void forward(model::Residual& x, const model::Sequence& sequence);

 private:
  torch::nn::LayerNorm attention_norm_ = nullptr;
  model::Attention attention_ = nullptr;
  torch::nn::LayerNorm feed_forward_norm_ = nullptr;
  torch::nn::Linear widen_ = nullptr;
  torch::nn::Linear narrow_ = nullptr;
};
TORCH_MODULE(StepBlock);

/// The network that step_peers.py has, too: a linear layer, blocks, a linear layer.
/// [batch, time, mels] → the same
class StepNetworkImpl : public torch::nn::Module {
 public:
  explicit StepNetworkImpl(const StepSize& size);

  /// `fused`: by seda's kernels where it has some.
  torch::Tensor forward(const torch::Tensor& mel, bool fused);

 private:
  torch::nn::Linear input_ = nullptr;
  torch::nn::ModuleList blocks_ = nullptr;
  torch::nn::Linear output_ = nullptr;
};
TORCH_MODULE(StepNetwork);

}  // namespace seda::bench
