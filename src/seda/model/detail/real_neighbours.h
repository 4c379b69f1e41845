// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

namespace seda::model::detail {

/// neighbours(x, kernel) with zeros for places beyond a row's length, in one kernel each way. Takes
/// what takes_fused() says. Error(unavailable) in a build without CUDA.
/// [batch, time, channels] → [batch, time, kernel · channels]
torch::Tensor real_neighbours_cuda(const torch::Tensor& x,
                                   const torch::Tensor& lengths,  // [batch] int32
                                   int64_t kernel);

}  // namespace seda::model::detail
