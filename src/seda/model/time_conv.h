// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

namespace seda::model {

/// Each place beside its neighbours: y(t) = x(t - k/2), …, x(t + k/2), zero outside.
/// [batch, time, channels] → [batch, time, kernel · channels]; `kernel` is odd.
torch::Tensor neighbours(const torch::Tensor& x, int64_t kernel);

/// Convolution over time as one matrix product: y(t) = W · neighbours(x)(t) + b.
/// [batch, time, inputs] → [batch, time, outputs]
///
/// Padding counts as what it holds: mask it first.
class TimeConvImpl : public torch::nn::Module {
 public:
  TimeConvImpl(int64_t inputs, int64_t outputs, int64_t kernel);

  torch::Tensor forward(const torch::Tensor& x);

 private:
  int64_t kernel_;
  torch::nn::Linear product_ = nullptr;
};
TORCH_MODULE(TimeConv);

}  // namespace seda::model
