// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

namespace seda::model {

/// How far each place turns each pair of channels: place t turns pair i by t · 10000^(-2i /
/// head_size).
struct RotaryTable {
  torch::Tensor cosine;  ///< [time, 3, 1, head_size]; 1 for values, which are not turned.
  torch::Tensor sine;    ///< [time, 1, 1, head_size / 2]
};

/// Angles are computed in fp32 (in double for a double model), the table is of `options`.
RotaryTable rotary_table(int64_t time, int64_t head_size, const torch::TensorOptions& options);

/// Queries and keys turned, values as they are: channel i of the first half and of the second are a
/// pair (a, b), which becomes (a cos - b sin, b cos + a sin).
///
/// The product of a query and a key then depends on their distance alone.
/// qkv: [batch, time, 3, heads, head_size]
///
/// `fused` takes one kernel each way where `rotary_fits`; it rounds once, where the plain
/// operations round after each.
torch::Tensor rotate(const torch::Tensor& qkv, const RotaryTable& table, bool fused = false);

/// Whether the kernel can turn such heads: each half is whole vectors of 16 bytes, of fp32 or bf16.
bool rotary_fits(const torch::Tensor& qkv, const RotaryTable& table);

}  // namespace seda::model
