// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "seda/model/model_options.h"

namespace seda::model {

/// Weights of a voice model of that shape, counted without making one: what VoiceModel has.
int64_t parameter_count(const ModelOptions& options);

}  // namespace seda::model
