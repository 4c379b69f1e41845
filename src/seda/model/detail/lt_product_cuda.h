// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <torch/torch.h>

namespace seda::model::detail {

/// What cuBLASLt does to a product before it is stored.
enum class LtEpilogue : uint8_t {
  bias,           ///< Adds `bias` to every row of the result.
  gelu_bias,      ///< Adds `bias`, keeps the sum in `inner`, stores its GELU (tanh).
  gelu_gradient,  ///< Multiplies by the slope of GELU at `inner`; `bias` takes the sum of rows.
  bias_gradient,  ///< Stores the product; `bias` takes the sum of rows of the second factor.
};

/// A product as cuBLASLt takes it.
///
/// cuBLASLt counts by columns: a tensor [rows, columns], which lies row by row, is to it a matrix
/// of `columns` rows, each column as long as a row of ours. It computes op(A) · op(B), where op
/// transposes what is `turned`, and the result again is to be read as its transpose: so with
/// nothing turned it is second · first, as tensors read.
struct LtProduct {
  torch::Tensor first;  ///< 2-D, contiguous, bf16 or fp32, like all others here.
  bool first_turned = false;
  torch::Tensor second;
  bool second_turned = false;
  torch::Tensor result;
  LtEpilogue epilogue = LtEpilogue::bias;
  torch::Tensor bias;   ///< 1-D
  torch::Tensor inner;  ///< As large as the result; of the epilogues with GELU.
};

/// Computes it on torch's current stream, summing in fp32; factors of fp32 are rounded to TF32
/// where torch may do so. False where cuBLASLt has no algorithm for it: then nothing was done.
///
/// What cuBLASLt chooses for a shape is asked for once. Neither waits nor allocates, but for
/// torch's workspace when a thread first multiplies on a stream. Thread-safe.
bool run_lt_product(const LtProduct& product);

}  // namespace seda::model::detail
