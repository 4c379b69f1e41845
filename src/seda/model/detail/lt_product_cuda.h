// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

namespace seda::model::detail {

/// y = x Wᵀ + b, or GELU (tanh) of it, in one product of cuBLASLt.
struct LtLinear {
  torch::Tensor x;       ///< [places, inputs], contiguous, bf16 or fp32, like all others here.
  torch::Tensor weight;  ///< [outputs, inputs]
  torch::Tensor bias;    ///< [outputs]
  torch::Tensor inner;   ///< [places, outputs] Takes what GELU takes; undefined: no GELU.
  torch::Tensor result;  ///< [places, outputs]
};

/// Computes it on torch's current stream, summing in fp32; factors of fp32 are rounded to TF32
/// where torch may do so. False where cuBLASLt has no algorithm for it: then nothing was done.
///
/// What cuBLASLt chooses for a shape is asked for once. Neither waits nor allocates, but for
/// torch's workspace when a thread first multiplies on a stream. Thread-safe.
bool run_lt_linear(const LtLinear& product);

}  // namespace seda::model::detail
