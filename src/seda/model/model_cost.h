// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "seda/model/model_options.h"

namespace seda::model {

/// Weights of a voice model of that shape, counted without making one: what VoiceModel has.
int64_t parameter_count(const ModelOptions& options);

/// What a training step works on, padding included.
struct StepShape {
  int64_t rows = 0;
  int64_t tokens = 0;  ///< Of each row.
  int64_t frames = 0;
};

/// Operations of a training step in products of weights and of attention, a multiplication and an
/// addition counted as two: six for each weight at each place, since the gradient of a product is
/// two products. Alignment, losses and what is done to single values are left out.
double step_flops(const ModelOptions& options, const StepShape& shape);

}  // namespace seda::model
