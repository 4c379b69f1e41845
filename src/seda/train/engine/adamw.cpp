// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/adamw.h"

namespace seda::train {
namespace {

/// `target` = `value`, but where `skip` is one.
void assign(const torch::Tensor& target, const torch::Tensor& value, const torch::Tensor& skip) {
  target.copy_(torch::where(skip.gt(0), target, value));
}

}  // namespace

void adamw_fused(const AdamwTensors& tensors, const AdamwNumbers& numbers) {
  at::_fused_adamw_({tensors.weights}, {tensors.gradient}, {tensors.exp_avg}, {tensors.exp_avg_sq},
                    {}, {tensors.steps}, tensors.lr, numbers.beta1, numbers.beta2,
                    numbers.weight_decay, numbers.epsilon, /*amsgrad=*/false, /*maximize=*/false,
                    tensors.gradient_scale, tensors.skip);
}

void adamw_plain(const AdamwTensors& tensors, const AdamwNumbers& numbers) {
  const auto gradient = tensors.gradient / tensors.gradient_scale;
  assign(tensors.exp_avg, tensors.exp_avg.lerp(gradient, 1 - numbers.beta1), tensors.skip);
  const auto squares =
      tensors.exp_avg_sq * numbers.beta2 + gradient * gradient * (1 - numbers.beta2);
  assign(tensors.exp_avg_sq, squares, tensors.skip);
  const auto correction1 = 1 - torch::pow(numbers.beta1, tensors.steps);
  const auto correction2 = 1 - torch::pow(numbers.beta2, tensors.steps);
  const auto size = (tensors.exp_avg_sq / correction2).sqrt() + numbers.epsilon;
  const auto decayed = tensors.weights * (1 - tensors.lr * numbers.weight_decay);
  assign(tensors.weights, decayed - tensors.lr * (tensors.exp_avg / correction1) / size,
         tensors.skip);
}

}  // namespace seda::train
