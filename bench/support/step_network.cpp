// SPDX-License-Identifier: Apache-2.0
#include "bench/support/step_network.h"

#include "seda/model/linear.h"

namespace seda::bench {
namespace {

constexpr int64_t kWider = 4;  // inside of the feed-forward layer
constexpr model::AttentionOptions kPlainAttention = {.rotary = false, .masked = false};

torch::nn::LayerNorm layer_norm(int64_t width) {
  return torch::nn::LayerNorm(torch::nn::LayerNormOptions({width}));
}

}  // namespace

double step_flops(const StepSize& size) {
  const auto width = static_cast<double>(size.width);
  const auto layers = static_cast<double>(size.layers);
  const double places = double{kStepBatch} * kStepFrames;
  // Twice for each weight and place, and as much for the gradient of each side of the product; the
  // first layer's input has none.
  const double of_blocks = 6 * places * layers * (4 + 2 * kWider) * width * width;
  const double of_ends = (4 + 6) * places * kStepMels * width;
  // Scores and mixed values, each a product of time × time × width in a clip.
  const double of_attention = 3 * 2 * 2 * places * kStepFrames * width * layers;
  return of_blocks + of_ends + of_attention;
}

StepBlockImpl::StepBlockImpl(int64_t width)
    : attention_norm_(register_module("attention_norm", layer_norm(width))),
      attention_(register_module("attention",
                                 model::Attention(width, width / kStepHeadSize, kPlainAttention))),
      feed_forward_norm_(register_module("feed_forward_norm", layer_norm(width))),
      widen_(register_module("widen", torch::nn::Linear(width, kWider * width))),
      narrow_(register_module("narrow", torch::nn::Linear(kWider * width, width))) {}

void StepBlockImpl::forward(model::Residual& x, const model::Sequence& sequence) {
  x.add(attention_->forward(x.norm(model::scale_of(attention_norm_)), sequence), {});
  const auto seen = x.norm(model::scale_of(feed_forward_norm_));
  x.add(model::apply_gelu_pair(widen_, narrow_, seen, sequence.fused), {});
}

StepNetworkImpl::StepNetworkImpl(const StepSize& size)
    : input_(register_module("input", torch::nn::Linear(kStepMels, size.width))),
      blocks_(register_module("blocks", torch::nn::ModuleList())),
      output_(register_module("output", torch::nn::Linear(size.width, kStepMels))) {
  for (int64_t i = 0; i < size.layers; ++i)
    blocks_->push_back(StepBlock(size.width));
}

torch::Tensor StepNetworkImpl::forward(const torch::Tensor& mel, bool fused) {
  model::Sequence sequence;  // every place is real, nothing is dropped
  sequence.fused = fused;
  model::Residual x(model::apply_linear(input_, mel, fused), sequence);
  for (const auto& block : *blocks_)
    block->as<StepBlock>()->forward(x, sequence);
  return model::apply_linear(output_, x.value(), fused);
}

}  // namespace seda::bench
