// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

namespace seda::model::detail {

/// The gradient of a bias: that of what it was added to, summed over places in fp32.
/// [places, columns] fp32 or bf16 on a GPU, columns a multiple of 8 → [columns]
torch::Tensor bias_gradient(const torch::Tensor& gradient);

/// The same behind GELU (tanh): `gradient`, contiguous, is that of what GELU gave, and becomes that
/// of `inner`, what it took.
torch::Tensor gelu_bias_gradient(torch::Tensor& gradient, const torch::Tensor& inner);

}  // namespace seda::model::detail
