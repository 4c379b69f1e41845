// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "seda/train/safetensors.h"

namespace seda::train {

/// The state of a training run, copied to the host.
struct EngineState {
  std::vector<TensorView> average;   ///< Of the averaged weights: what speaks.  fp32
  std::vector<TensorView> training;  ///< Weights, moments, steps: what goes on.
  std::shared_ptr<const void> memory;
};

}  // namespace seda::train
