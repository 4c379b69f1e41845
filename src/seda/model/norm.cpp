// SPDX-License-Identifier: Apache-2.0
#include "seda/model/norm.h"

#include "seda/model/detail/norm_task.h"
#include "seda/model/detail/sum_and_norm.h"

namespace seda::model {
namespace {

constexpr int64_t kChannelsOfThread = 8;

}  // namespace

NormScale scale_of(const torch::nn::LayerNorm& layer) {
  return {.factor = layer->weight, .shift = layer->bias};
}

NormScale scale_of_rows(const torch::Tensor& factor, const torch::Tensor& shift) {
  return {.factor = factor, .shift = shift, .per_row = true};
}

torch::Tensor plain_norm(const torch::Tensor& x, const NormScale& scale) {
  if (!scale.per_row) return torch::layer_norm(x, {x.size(2)}, scale.factor, scale.shift);
  return torch::addcmul(scale.shift, torch::layer_norm(x, {x.size(2)}), scale.factor + 1);
}

torch::Tensor norm_and_relu(const torch::Tensor& x, const NormScale& scale,
                            const Sequence& sequence) {
  if (!takes_fused(x, sequence)) return torch::relu(plain_norm(x, scale));
  return detail::sum_and_norm({.x = x, .scale = scale, .relu = true}).out;
}

bool takes_fused(const torch::Tensor& x, const Sequence& sequence) {
  return sequence.fused && x.size(2) % kChannelsOfThread == 0 &&
         x.size(2) <= detail::kNormMostChannels;
}

}  // namespace seda::model
