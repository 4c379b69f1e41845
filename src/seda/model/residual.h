// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "seda/model/dropout.h"
#include "seda/model/norm.h"
#include "seda/model/sequence.h"

namespace seda::model {

/// The stream of values that the layers of a network add to, and read through norms.
///
/// What was added last waits until the stream is read: with fused kernels, "add, then norm" is one.
/// Refers to its sequence, which must live as long.
class Residual {
 public:
  Residual(torch::Tensor value, const Sequence& sequence);  // [batch, time, channels]

  /// + gate · dropout(branch); without a gate, 1.  // gate: [batch, 1, channels]
  void add(const torch::Tensor& branch, const DropoutOptions& dropout,
           const torch::Tensor& gate = {});

  /// [batch, time, channels]
  torch::Tensor norm(const NormScale& scale);
  /// The norm of each place beside those of its real neighbours.  // [batch, time, 3 · channels]
  torch::Tensor norm_of_three(const NormScale& scale);
  /// [batch, time, channels]
  const torch::Tensor& value();

 private:
  torch::Tensor fused_norm(const NormScale& scale, const torch::Tensor& lengths);

  const Sequence& sequence_;
  torch::Tensor value_;
  torch::Tensor branch_;  ///< Not yet added; undefined: nothing waits.
  DropoutOptions dropout_;
  torch::Tensor gate_;
};

}  // namespace seda::model
