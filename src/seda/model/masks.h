// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

namespace seda::model {

/// True where a sequence is, false where padding is.  // [batch, size] bool
///
/// `lengths` is `[batch]` of any integer type, on any device.
torch::Tensor length_mask(const torch::Tensor& lengths, int64_t size);

/// What attention may look at: every query sees the keys that are there.  // [batch, 1, 1, keys]
/// bool, true where it may look, as `scaled_dot_product_attention` takes it.
torch::Tensor attention_mask(const torch::Tensor& mask);

}  // namespace seda::model
