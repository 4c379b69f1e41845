// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "seda/model/dropout.h"
#include "seda/model/residual.h"
#include "seda/model/sequence.h"
#include "seda/model/time_conv.h"

namespace seda::model {

struct ConvLayerOptions {
  int64_t inputs = 0;
  int64_t outputs = 0;
  int64_t kernel = 5;
  DropoutOptions dropout = {};
};

/// dropout(ReLU(norm(conv(x)))) over real places.
/// [batch, time, inputs] → [batch, time, outputs]
class ConvLayerImpl : public torch::nn::Module {
 public:
  explicit ConvLayerImpl(const ConvLayerOptions& options);

  torch::Tensor forward(const torch::Tensor& x, const Sequence& sequence);
  /// x + forward(x); inputs equal outputs.
  void add_to(Residual& x, const Sequence& sequence);

 private:
  torch::Tensor undropped(const torch::Tensor& x, const Sequence& sequence);

  ConvLayerOptions options_;
  TimeConv conv_ = nullptr;
  torch::nn::LayerNorm norm_ = nullptr;
};
TORCH_MODULE(ConvLayer);

}  // namespace seda::model
