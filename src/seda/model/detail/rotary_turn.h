// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <torch/torch.h>

#include "seda/model/rotary.h"

namespace seda::model::detail {

/// Queries, keys and, where there are any, values.  // each [batch, time, heads, head_size]
using RotaryTensors = std::vector<torch::Tensor>;

/// Writes the first two turned (turned back where `sign` is -1) and the third as it is, in one
/// kernel on torch's current stream. Channels lie side by side, the rest anywhere. For tensors that
/// `rotary_fits`; Error(unavailable) in a build without CUDA.
void turn_cuda(const RotaryTensors& from, const RotaryTensors& to, const RotaryTable& table,
               double sign);

}  // namespace seda::model::detail
