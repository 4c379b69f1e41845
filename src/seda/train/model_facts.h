// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace seda::train {

/// What a model weighs.
struct ModelFacts {
  int64_t parameters = 0;
  uint64_t weight_bytes = 0;     ///< As they compute.
  uint64_t optimizer_bytes = 0;  ///< Gradients, fp32 weights, moments, average.
};

}  // namespace seda::train
