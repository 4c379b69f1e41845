// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "seda/device/stream.h"
#include "seda/train/engine/flat_parameters.h"
#include "seda/train/engine_state.h"

namespace seda::train {

/// Everything that training goes on from, copied to the host: averages by the weights' names;
/// `weights.<name>`, `exp_avg.<name>`, `exp_avg_sq.<name>` and the scalar `steps`, each behind
/// `prefix`. One copy for each flat array; waits for the device.
EngineState copy_state(const FlatParameters& parameters, device::StreamView stream,
                       std::string_view prefix = {});

/// Takes a state back. Anything missing, foreign or of another type or shape is an Error(io) that
/// names it, and leaves all as it was.
void restore_state(FlatParameters& parameters, const SafetensorsFile& training,
                   const SafetensorsFile& average);

/// What `copy_state` names `prefix` and all that follows.
std::set<std::string, std::less<>> training_names(const ParameterLayout& layout,
                                                  std::string_view prefix);

/// Everything of `training` behind `prefix`, on the host: weights, both moments and the steps. As
/// `restore_state` where it does not fit.
struct StoredTraining {
  torch::Tensor weights;
  torch::Tensor exp_avg;
  torch::Tensor exp_avg_sq;
  float steps = 0;
};
StoredTraining read_training(const ParameterLayout& layout, const SafetensorsFile& training,
                             std::string_view prefix);

/// Takes it, and averaged weights where they are defined; else the weights are the average.
void take_training(FlatParameters& parameters, const StoredTraining& stored,
                   const torch::Tensor& average);

/// A flat array of a file's tensors `<prefix><name>`, on the host.  // [layout.size()] fp32
torch::Tensor read_flat(const ParameterLayout& layout, const SafetensorsFile& file,
                        std::string_view prefix);

/// Error(io) that names a tensor of the file that is not among `known`.
void refuse_foreign(const SafetensorsFile& file, const std::set<std::string, std::less<>>& known);

/// Error(io) where the file holds more than `expected` tensors, all of which are there: names one
/// that belongs to no weight of the model.
void refuse_foreign(const ParameterLayout& layout, const SafetensorsFile& file,
                    std::span<const std::string_view> prefixes,
                    std::span<const std::string_view> others);

}  // namespace seda::train
