// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "seda/model/sequence.h"

namespace seda::model {

/// Each place beside its neighbours: y(t) = x(t - k/2), …, x(t + k/2), zero outside.
/// [batch, time, channels] → [batch, time, kernel · channels]; `kernel` is odd.
torch::Tensor neighbours(const torch::Tensor& x, int64_t kernel);

/// The same with zeros for places that are not real.
torch::Tensor real_neighbours(const torch::Tensor& x, int64_t kernel, const Sequence& sequence);

/// Convolution over time as one matrix product: y(t) = W · neighbours(x)(t) + b.
/// [batch, time, inputs] → [batch, time, outputs]
class TimeConvImpl : public torch::nn::Module {
 public:
  TimeConvImpl(int64_t inputs, int64_t outputs, int64_t kernel);

  /// Padding counts as what it holds.
  torch::Tensor forward(const torch::Tensor& x);
  /// Padding counts as zero.
  torch::Tensor forward_of_real(const torch::Tensor& x, const Sequence& sequence);
  /// Of neighbours side by side.  // [batch, time, kernel · inputs] → [batch, time, outputs]
  torch::nn::Linear& product() noexcept { return product_; }

 private:
  int64_t kernel_;
  torch::nn::Linear product_ = nullptr;
};
TORCH_MODULE(TimeConv);

}  // namespace seda::model
