// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "seda/train/engine/flat_parameters.h"
#include "seda/train/optimizer_options.h"

namespace seda::train {

/// What an update works on; all of one GPU.
struct FusedUpdateTensors {
  FlatState state;
  torch::Tensor compute;  ///< [size] bf16; or the weights, where the model computes with them.
  int64_t decaying = 0;   ///< The first so many weights decay.
  torch::Tensor lr;       ///< [] fp32
  torch::Tensor latch;    ///< [] fp32
};

/// What Optimizer::update does, in three kernels, on torch's current stream.
///
/// Every array is read and written once, the gradient read once more before. The gradient stays as
/// it is, but is zero where it accumulates. Bit for bit the same each time. Returns the norm, [] in
/// fp32. Error(unavailable) in a build without CUDA.
torch::Tensor fused_update(const FusedUpdateTensors& tensors, const OptimizerOptions& options);

}  // namespace seda::train
