// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/model_facts.h"

namespace seda::train {

ModelFacts model_facts(const FlatParameters& parameters) {
  constexpr uint64_t kKept = 4;  // gradient, two moments, average
  const bool copied = parameters.compute_type() != torch::kFloat32;
  const auto weights = static_cast<uint64_t>(parameters.layout().weights());
  return {.parameters = parameters.layout().weights(),
          .weight_bytes = weights * c10::elementSize(parameters.compute_type()),
          .optimizer_bytes = weights * sizeof(float) * (copied ? kKept + 1 : kKept)};
}

}  // namespace seda::train
