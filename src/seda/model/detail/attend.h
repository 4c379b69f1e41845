// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "seda/model/rotary.h"

namespace seda::model::detail {

/// What attention is told beside queries, keys and values.
struct AttendOptions {
  RotaryTable turns;     ///< Undefined tensors: nothing is turned.
  torch::Tensor scores;  ///< [batch, 1, 1, time] Added to scores; undefined: every key is real.
};

/// Queries and keys turned, then softmax(q kᵀ / √head_size + scores) v by cuDNN, whose forward and
/// backward read and write queries, keys and values where they lie: the gradient of qkv is put
/// together by the kernel that turns it back.
/// qkv: [batch, time, 3, heads, head_size] → [batch, time, heads, head_size]
///
/// For what `attention_fits` (attention.cpp); Error(unavailable) in a build without CUDA. cuDNN
/// adds gradients of queries in no fixed order.
torch::Tensor attend_cuda(const torch::Tensor& qkv, const AttendOptions& options);

}  // namespace seda::model::detail
