// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/device/stream.h"
#include "seda/train/engine.h"
#include "seda/train/engine/flat_parameters.h"

namespace seda::train {

/// Everything that training goes on from, copied to the host: averages by the weights' names;
/// `weights.<name>`, `exp_avg.<name>`, `exp_avg_sq.<name>` and the scalar `steps`. One copy for
/// each flat array; waits for the device.
EngineState copy_state(const FlatParameters& parameters, device::StreamView stream);

/// Takes a state back. Anything missing, foreign or of another type or shape is an Error(io) that
/// names it, and leaves all as it was.
void restore_state(FlatParameters& parameters, const SafetensorsFile& training,
                   const SafetensorsFile& average);

/// A flat array of a file's tensors `<prefix><name>`, on the host.  // [layout.size()] fp32
torch::Tensor read_flat(const ParameterLayout& layout, const SafetensorsFile& file,
                        std::string_view prefix);

/// Error(io) where the file holds more than `expected` tensors, all of which are there: names one
/// that belongs to no weight of the model.
void refuse_foreign(const ParameterLayout& layout, const SafetensorsFile& file,
                    std::span<const std::string_view> prefixes,
                    std::span<const std::string_view> others);

}  // namespace seda::train
