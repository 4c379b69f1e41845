// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include <torch/torch.h>

namespace seda::model {

using NamedTensors = std::map<std::string, torch::Tensor>;

/// Multiplies weight norm out: `x.weight_g` and `x.weight_v`, or
/// `x.parametrizations.weight.original0` and `original1`, become `x.weight` = g · v / |v|, the norm
/// over all sides but the first. One without the other, or of sides that do not fit, is an
/// Error(io) that names it.
NamedTensors fold_weight_norm(const NamedTensors& tensors);

}  // namespace seda::model
