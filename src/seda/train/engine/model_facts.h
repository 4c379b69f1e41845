// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/train/engine/flat_parameters.h"
#include "seda/train/model_facts.h"

namespace seda::train {

/// What weights and optimizer take; without the zeros between weights.
ModelFacts model_facts(const FlatParameters& parameters);

}  // namespace seda::train
