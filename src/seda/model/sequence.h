// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <torch/torch.h>

#include "seda/model/noise.h"
#include "seda/model/rotary.h"

namespace seda::model {

/// What layers must know of a batch of sequences beside its values.
struct Sequence {
  torch::Tensor real;       ///< [batch, time] bool
  torch::Tensor keep;       ///< [batch, time, 1] 1 where real, else 0, in the type of the weights.
  torch::Tensor attention;  ///< [batch, 1, 1, time] Added to scores: 0 where real, else -inf.
  torch::Tensor lengths;    ///< [batch] int32 Places that are real.
  RotaryTable turns;
  const Noise* noise = nullptr;  ///< Of dropout; null: nothing is dropped.
  bool fused = false;            ///< Layers take their fused kernels, which are of GPUs alone.
  const std::function<void()>* heed = nullptr;  ///< VoiceModelImpl::set_heed.
};

/// A sequence without any place counts as one of one place for attention, so that no score is NaN.
Sequence make_sequence(const torch::Tensor& lengths, int64_t time, int64_t head_size,
                       const torch::TensorOptions& weights, const Noise* noise);

/// Type of losses and mels of a model with weights of `type`: fp32, or double for double.
inline torch::ScalarType exact_type(torch::ScalarType type) {
  return type == torch::kFloat64 ? torch::kFloat64 : torch::kFloat32;
}

/// Mean over real places and all channels; 0 where no place is real.  // scalar
torch::Tensor real_mean(const torch::Tensor& values,  // [batch, time, channels]
                        const torch::Tensor& real);   // [batch, time] bool

}  // namespace seda::model
