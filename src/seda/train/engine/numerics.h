// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/train/engine.h"

namespace seda::train {

/// Sets how torch computes in this process: fused attention and TF32 products, or plain operations
/// in whole fp32 (`fused` off, or `checked`); with `deterministic`, only operations with a fixed
/// order of additions, others throw. To be called before torch's first work on a GPU.
void set_numerics(const EngineOptions& options);

}  // namespace seda::train
