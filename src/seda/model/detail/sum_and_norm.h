// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "seda/model/dropout.h"
#include "seda/model/noise.h"
#include "seda/model/norm.h"

namespace seda::model::detail {

/// What is added and normed. All tensors are of one GPU and, but for lengths, of one type.
struct SumAndNormInput {
  torch::Tensor x;  ///< [batch, time, channels]
  // NOLINTBEGIN(readability-redundant-member-init): g++ wants them where fewer are given
  torch::Tensor branch = {};    ///< The same; undefined: nothing is added.
  torch::Tensor gate = {};      ///< [batch, 1, channels] Of the branch; undefined: 1.
  DropoutOptions dropout = {};  ///< Of the branch.
  const Noise* noise = nullptr;
  NormScale scale;
  bool relu = false;
  torch::Tensor lengths = {};  ///< [batch] int32; defined: out is beside its real neighbours.
  // NOLINTEND(readability-redundant-member-init)
};

struct SumAndNorm {
  torch::Tensor sum;  ///< x + gate · dropout(branch); x itself without a branch.
  torch::Tensor out;  ///< [batch, time, channels], or [batch, time, 3 · channels] with lengths.
};

/// Sum and norm in one kernel, their gradients in two. Takes what takes_fused() says; other shapes
/// are an error. What was dropped is drawn again by the backward pass: the noise's update must not
/// have changed until then. Error(unavailable) in a build without CUDA.
SumAndNorm sum_and_norm(const SumAndNormInput& input);

}  // namespace seda::model::detail
