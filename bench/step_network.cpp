// SPDX-License-Identifier: Apache-2.0
#include "bench/step_network.h"

#include <utility>

#include "seda/model/linear.h"

namespace seda::bench {
namespace {

constexpr int64_t kWider = 4;  // inside of the feed-forward layer

torch::nn::LayerNorm layer_norm(int64_t width) {
  return torch::nn::LayerNorm(torch::nn::LayerNormOptions({width}));
}

/// The stream that layers add to.
class Residual {
 public:
  explicit Residual(torch::Tensor value) : value_(std::move(value)) {}

  void add(const torch::Tensor& branch) { value_ = value_ + branch; }
  torch::Tensor norm(torch::nn::LayerNorm& norm) { return norm->forward(value_); }
  const torch::Tensor& value() const noexcept { return value_; }

 private:
  torch::Tensor value_;
};

/// What has or will have a fused kernel in seda::model, with Residual: the one place to choose.
struct Parts {
  bool fused = false;

  Residual residual(const torch::Tensor& x) const { return Residual(x); }

  torch::Tensor linear(torch::nn::Linear& linear, const torch::Tensor& x) const {
    return model::apply_linear(linear, x);
  }

  torch::Tensor feed_forward(torch::nn::Linear& widen, torch::nn::Linear& narrow,
                             const torch::Tensor& x) const {
    return linear(narrow, torch::gelu(linear(widen, x), "tanh"));
  }

  /// qkv: [batch, time, 3 · width] → [batch, time, width]
  torch::Tensor attention(const torch::Tensor& qkv) const {
    const int64_t batch = qkv.size(0);
    const int64_t time = qkv.size(1);
    const int64_t width = qkv.size(2) / 3;
    const auto parts = qkv.view({batch, time, 3, width / kStepHeadSize, kStepHeadSize}).unbind(2);
    const auto mixed = at::scaled_dot_product_attention(
        parts[0].transpose(1, 2), parts[1].transpose(1, 2), parts[2].transpose(1, 2));
    return mixed.transpose(1, 2).reshape({batch, time, width});
  }
};

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
      to_qkv_(register_module("to_qkv", torch::nn::Linear(width, 3 * width))),
      to_output_(register_module("to_output", torch::nn::Linear(width, width))),
      feed_forward_norm_(register_module("feed_forward_norm", layer_norm(width))),
      widen_(register_module("widen", torch::nn::Linear(width, kWider * width))),
      narrow_(register_module("narrow", torch::nn::Linear(kWider * width, width))) {}

StepNetworkImpl::StepNetworkImpl(const StepSize& size)
    : input_(register_module("input", torch::nn::Linear(kStepMels, size.width))),
      blocks_(register_module("blocks", torch::nn::ModuleList())),
      output_(register_module("output", torch::nn::Linear(size.width, kStepMels))) {
  for (int64_t i = 0; i < size.layers; ++i)
    blocks_->push_back(StepBlock(size.width));
}

torch::Tensor StepNetworkImpl::forward(const torch::Tensor& mel, bool fused) {
  const Parts parts{.fused = fused};
  Residual x = parts.residual(parts.linear(input_, mel));
  for (const auto& module : *blocks_) {
    auto& block = *module->as<StepBlock>();
    const auto qkv = parts.linear(block.to_qkv_, x.norm(block.attention_norm_));
    x.add(parts.linear(block.to_output_, parts.attention(qkv)));
    x.add(parts.feed_forward(block.widen_, block.narrow_, x.norm(block.feed_forward_norm_)));
  }
  return parts.linear(output_, x.value());
}

}  // namespace seda::bench
