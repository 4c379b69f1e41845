// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace seda::train {

/// AdamW, and what is done to gradients and weights beside it.
struct OptimizerOptions {
  double weight_decay = 0.01;  ///< Of matrices; not of biases, norms and embeddings.
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-8;
  std::optional<double> clip_norm = 1.0;  ///< Largest norm of the gradient of all weights.
  int accumulation = 1;                   ///< Batches whose gradients make one update.
  double average_decay = 0.999;           ///< Of the averaged weights, which speak.

  bool operator==(const OptimizerOptions&) const = default;
};

}  // namespace seda::train
