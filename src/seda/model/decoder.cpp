// SPDX-License-Identifier: Apache-2.0
#include "seda/model/decoder.h"

#include <cmath>

#include "seda/model/linear.h"

namespace seda::model {
namespace {

constexpr uint32_t kSitesOfDecoderBlock = 2;
constexpr double kTimeScale = 1000;
constexpr double kTimeBase = 10000;

torch::nn::Linear zero_linear(int64_t inputs, int64_t outputs) {
  const torch::NoGradGuard no_grad;
  torch::nn::Linear linear(inputs, outputs);
  linear->weight.zero_();
  linear->bias.zero_();
  return linear;
}

/// `count` vectors for each row.  // [batch, count · size] → count × [batch, 1, size]
std::vector<torch::Tensor> vectors(const torch::Tensor& rows, int64_t count) {
  return rows.unsqueeze(1).chunk(count, 2);
}

}  // namespace

DecoderBlockImpl::DecoderBlockImpl(const ModelOptions& options, uint32_t first_site)
    : attention_dropout_{.rate = options.dropout, .site = first_site},
      feed_forward_dropout_{.rate = options.dropout, .site = first_site + 1},
      modulation_(register_module("modulation",
                                  zero_linear(options.hidden_size, 6LL * options.hidden_size))),
      attention_(register_module("attention", Attention(options.hidden_size, options.heads))),
      feed_forward_(register_module("feed_forward",
                                    FeedForward(options.hidden_size, options.feed_forward_size))) {}

void DecoderBlockImpl::forward(Residual& x, const torch::Tensor& row, const Sequence& sequence) {
  const auto parts = vectors(modulation_->forward(row), 6);
  const auto seen = x.norm(scale_of_rows(parts[1], parts[0]));
  x.add(attention_->forward(seen, sequence), attention_dropout_, parts[2]);
  const auto three = x.norm_of_three(scale_of_rows(parts[4], parts[3]));
  x.add(feed_forward_->forward_of_three(three, sequence), feed_forward_dropout_, parts[5]);
}

Condition Condition::kept(const torch::Tensor& keep) const {
  const auto of_rows = keep.to(hidden.scalar_type()).unsqueeze(1);
  const auto of_frames = of_rows.unsqueeze(2);
  return {hidden * of_frames, mean * of_frames.to(mean.scalar_type()), speaker * of_rows};
}

DecoderImpl::DecoderImpl(const ModelOptions& options, uint32_t first_site) {
  const int64_t hidden = options.hidden_size;
  input_ =
      register_module("input", torch::nn::Linear(int64_t{2} * options.n_mels + hidden, hidden));
  local_ =
      register_module("local", ConvLayer(ConvLayerOptions{.inputs = hidden, .outputs = hidden}));
  time_first_ = register_module("time_first", torch::nn::Linear(hidden, hidden));
  time_second_ = register_module("time_second", torch::nn::Linear(hidden, hidden));
  speaker_ = register_module("speaker", torch::nn::Linear(hidden, hidden));
  blocks_ = register_module("blocks", torch::nn::ModuleList());
  for (int i = 0; i < options.decoder_layers; ++i) {
    blocks_->push_back(
        DecoderBlock(options, first_site + kSitesOfDecoderBlock * static_cast<uint32_t>(i)));
  }
  modulation_ = register_module("modulation", zero_linear(hidden, 2 * hidden));
  output_ = register_module("output", zero_linear(hidden, options.n_mels));
}

torch::Tensor DecoderImpl::row_of(const torch::Tensor& time, const torch::Tensor& speaker) {
  const auto waves = time_waves(time, speaker.size(1)).to(speaker.scalar_type());
  const auto of_time = time_second_->forward(torch::silu(time_first_->forward(waves)));
  return torch::silu(of_time + speaker_->forward(speaker));
}

torch::Tensor DecoderImpl::forward(const torch::Tensor& mel, const torch::Tensor& time,
                                   const Condition& condition, const Sequence& sequence) {
  const auto type = condition.hidden.scalar_type();
  const auto row = row_of(time, condition.speaker);
  const auto given = torch::cat({mel.to(type), condition.mean.to(type), condition.hidden}, 2);
  Residual x(apply_linear(input_, given, sequence.fused), sequence);
  local_->add_to(x, sequence);
  for (const auto& block : *blocks_)
    block->as<DecoderBlock>()->forward(x, row, sequence);
  const auto parts = vectors(modulation_->forward(row), 2);
  const auto last = x.norm(scale_of_rows(parts[1], parts[0]));
  return apply_linear(output_, last, sequence.fused).to(exact_type(type));
}

torch::Tensor time_waves(const torch::Tensor& time, int64_t size) {
  const int64_t half = size / 2;
  const auto places = torch::arange(half, time.options());
  const auto speeds = torch::exp(places * (-std::log(kTimeBase) / static_cast<double>(half)));
  const auto angles = time.unsqueeze(1) * kTimeScale * speeds;
  return torch::cat({angles.cos(), angles.sin()}, 1);
}

}  // namespace seda::model
