// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <torch/torch.h>

#include "seda/model/noise.h"

namespace seda::model {

/// Where a model drops, and how much.
struct DropoutOptions {
  double rate = 0;
  uint32_t site = 0;  ///< Numbers the place: no two of a model share one.
};

/// x · (u < keep) / keep with keep = 1 - rate; x itself without noise or at rate 0.
torch::Tensor dropout(const torch::Tensor& x, const DropoutOptions& options, const Noise* noise);

}  // namespace seda::model
