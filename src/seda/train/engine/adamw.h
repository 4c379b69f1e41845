// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

namespace seda::train {

/// One group of weights; arrays of equal length, scalars on their device, all fp32.
struct AdamwTensors {
  torch::Tensor weights;
  torch::Tensor gradient;
  torch::Tensor exp_avg;
  torch::Tensor exp_avg_sq;
  torch::Tensor steps;           ///< [] This update's number, from 1.
  torch::Tensor lr;              ///< []
  torch::Tensor gradient_scale;  ///< [] The gradient is divided by it.
  torch::Tensor skip;            ///< [] One: nothing is changed.
};

struct AdamwNumbers {
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-8;
  double weight_decay = 0;
};

/// One kernel for all of it; leaves the gradient divided. On a GPU see fused_update.h.
void adamw_fused(const AdamwTensors& tensors, const AdamwNumbers& numbers);

/// The same by single operations, for comparison.
void adamw_plain(const AdamwTensors& tensors, const AdamwNumbers& numbers);

}  // namespace seda::train
