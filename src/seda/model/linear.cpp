// SPDX-License-Identifier: Apache-2.0
#include "seda/model/linear.h"

#include "seda/model/detail/product.h"

namespace seda::model {
namespace {

/// Rows of factors are then whole vectors, as products by tensor cores want them.
constexpr int64_t kProductMultiple = 8;

detail::LinearWeights linear_weights(const torch::nn::Linear& linear) {
  return {.weight = linear->weight, .bias = linear->bias};
}

bool linear_weights_fit(const torch::nn::Linear& linear, torch::ScalarType type) {
  const torch::Tensor& weight = linear->weight;
  const bool typed = type == torch::kBFloat16 || type == torch::kFloat32;
  return typed && weight.scalar_type() == type && weight.is_contiguous() &&
         weight.size(0) % kProductMultiple == 0 && weight.size(1) % kProductMultiple == 0 &&
         linear->bias.defined() && linear->bias.is_contiguous();
}

}  // namespace

bool linear_fits(const torch::nn::Linear& linear, const torch::Tensor& places) {
  return linear_weights_fit(linear, places.scalar_type()) && places.dim() == 2 &&
         places.is_contiguous() && places.numel() > 0;
}

torch::Tensor apply_linear(torch::nn::Linear& linear, const torch::Tensor& x, bool fused) {
  const auto places = x.reshape({-1, x.size(2)});
  const bool at_once = fused && linear_fits(linear, places);
  const auto results =
      at_once ? detail::linear_cuda(places, linear_weights(linear)) : linear->forward(places);
  return results.view({x.size(0), x.size(1), results.size(1)});
}

bool gelu_pair_fits(const torch::Tensor& places, const torch::nn::Linear& widen,
                    const torch::nn::Linear& narrow) {
  return linear_fits(widen, places) && linear_weights_fit(narrow, places.scalar_type());
}

torch::Tensor apply_gelu_pair(torch::nn::Linear& widen, torch::nn::Linear& narrow,
                              const torch::Tensor& x, bool fused) {
  const auto places = x.reshape({-1, x.size(2)});
  if (!fused || !gelu_pair_fits(places, widen, narrow))
    return apply_linear(narrow, torch::gelu(apply_linear(widen, x), "tanh"));
  const auto results =
      detail::gelu_pair_cuda(places, linear_weights(widen), linear_weights(narrow));
  return results.view({x.size(0), x.size(1), results.size(1)});
}

}  // namespace seda::model
