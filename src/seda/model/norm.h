// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "seda/model/sequence.h"

namespace seda::model {

/// What a norm over channels is multiplied by, and what is added then.
struct NormScale {
  torch::Tensor factor;  ///< [channels], or [batch, 1, channels] less 1.
  torch::Tensor shift;   ///< [channels] or [batch, 1, channels]
  bool per_row = false;  ///< Of each row: norm(x) · (1 + factor) + shift.
};

/// That of a layer: norm(x) · weight + bias.
NormScale scale_of(const torch::nn::LayerNorm& layer);
/// One for each row.  // both [batch, 1, channels]
NormScale scale_of_rows(const torch::Tensor& factor, const torch::Tensor& shift);

/// Of each place, with the epsilon of torch, 1e-5.  // [batch, time, channels] → the same
torch::Tensor plain_norm(const torch::Tensor& x, const NormScale& scale);

/// ReLU of the norm.
torch::Tensor norm_and_relu(const torch::Tensor& x, const NormScale& scale,
                            const Sequence& sequence);

/// Whether the fused kernels of norms and neighbours are taken for `x`: where the sequence asks for
/// them and a place has a multiple of 8 channels, 2048 at most.  // [batch, time, channels]
bool takes_fused(const torch::Tensor& x, const Sequence& sequence);

}  // namespace seda::model
