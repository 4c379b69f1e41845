// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <torch/torch.h>

#include "seda/device/backend.h"

namespace seda::model {

/// The monotonic alignment (align.h) of tensors, on their device; without gradient.
///
/// One thread. On a GPU all is enqueued on torch's current stream and memory comes from torch, so
/// that it may be captured in a CUDA graph.
class TensorAligner {
 public:
  TensorAligner();
  ~TensorAligner();
  TensorAligner(const TensorAligner&) = delete;
  TensorAligner& operator=(const TensorAligner&) = delete;

  /// Frames of each token.  // [batch, tokens] int32
  torch::Tensor apply(const torch::Tensor& log_likelihood,  // [batch, tokens, frames] fp32
                      const torch::Tensor& token_lengths,   // [batch] int32
                      const torch::Tensor& frame_lengths);  // [batch] int32

 private:
  std::unique_ptr<device::Backend> cuda_;  ///< Made by the first tensors of a GPU.
};

}  // namespace seda::model
