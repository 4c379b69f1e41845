// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include <torch/torch.h>

#include "seda/model/noise.h"
#include "seda/model/speech_request.h"

namespace seda::model {

/// A point on the way from noise to a mel, and the velocity there.
struct FlowSample {
  torch::Tensor mel;       ///< (1 - (1 - σ) t) · start + t · mel
  torch::Tensor velocity;  ///< mel - (1 - σ) · start
};

/// Optimal-transport path of conditional flow matching, with σ = 1e-4.
FlowSample flow_sample(const torch::Tensor& start,  // [batch, frames, n_mels]
                       const torch::Tensor& mel,    // [batch, frames, n_mels]
                       const torch::Tensor& time);  // [batch]

/// Times in [0, 1), each even by itself and together spread: u + row · golden ratio, without its
/// whole part, with one u for all rows of an update.  // [batch] fp32
torch::Tensor flow_times(int64_t batch, const Noise& noise);

/// Velocity of a state at a time in [0, 1].
using VelocityField = std::function<torch::Tensor(const torch::Tensor& state, double time)>;

/// Follows a field from time 0 to 1 in equal steps. Euler asks once a step, midpoint twice.
torch::Tensor solve_flow(const torch::Tensor& start, const VelocityField& field, Solver solver,
                         int steps);

}  // namespace seda::model
