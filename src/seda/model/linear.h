// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

namespace seda::model {

/// W x + b for each place, as one product with the bias added inside it: of more than two
/// dimensions torch makes two operations.  // [batch, time, inputs] → [batch, time, outputs]
torch::Tensor apply_linear(torch::nn::Linear& linear, const torch::Tensor& x);

}  // namespace seda::model
