// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

namespace seda::model::detail {

/// A linear layer's weights.
struct LinearWeights {
  torch::Tensor weight;  ///< [outputs, inputs]
  torch::Tensor bias;    ///< [outputs]
};

/// W x + b, the bias added inside the product: [places, inputs] → [places, outputs].
///
/// For what `linear_fits`; Error(unavailable) in a build without CUDA.
torch::Tensor linear_cuda(const torch::Tensor& x, const LinearWeights& weights);

/// W₂ · GELU(W₁ x + b₁) + b₂, GELU by its tanh approximation, computed inside the first product:
/// [places, inputs] → [places, outputs]. Keeps what GELU took and what it gave for the way back.
///
/// For what `gelu_pair_fits`; Error(unavailable) in a build without CUDA.
torch::Tensor gelu_pair_cuda(const torch::Tensor& x, const LinearWeights& widen,
                             const LinearWeights& narrow);

}  // namespace seda::model::detail
