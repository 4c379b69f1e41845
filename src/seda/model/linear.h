// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

namespace seda::model {

/// W x + b for each place, as one product with the bias added inside it: of more than two
/// dimensions torch makes two operations.  // [batch, time, inputs] → [batch, time, outputs]
///
/// `fused` sums the gradient of b inside that of W, where `linear_fits`.
torch::Tensor apply_linear(torch::nn::Linear& linear, const torch::Tensor& x, bool fused = false);

/// Whether fused products can take such places, which are [places, inputs]: contiguous, of fp32 or
/// bf16 like the weights, inputs and outputs multiples of 8.
bool linear_fits(const torch::nn::Linear& linear, const torch::Tensor& places);

/// narrow(GELU(widen(x))) for each place, GELU by its tanh approximation.
/// [batch, time, inputs] → [batch, time, outputs]
///
/// `fused` computes GELU inside the products, both ways, where `gelu_pair_fits`.
torch::Tensor apply_gelu_pair(torch::nn::Linear& widen, torch::nn::Linear& narrow,
                              const torch::Tensor& x, bool fused = false);

/// Likewise of places, which are [places, inputs].
bool gelu_pair_fits(const torch::Tensor& places, const torch::nn::Linear& widen,
                    const torch::nn::Linear& narrow);

}  // namespace seda::model
