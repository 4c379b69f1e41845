// SPDX-License-Identifier: Apache-2.0
#include "seda/model/duration_predictor.h"

#include "seda/model/linear.h"

namespace seda::model {
namespace {

constexpr double kMostFramesOfToken = 500;

ConvLayerOptions layer_options(const ModelOptions& options, uint32_t site) {
  return {.inputs = options.hidden_size,
          .outputs = options.hidden_size,
          .kernel = 3,
          .dropout = {.rate = options.dropout, .site = site}};
}

}  // namespace

DurationPredictorImpl::DurationPredictorImpl(const ModelOptions& options, uint32_t first_site)
    : speaker_(
          register_module("speaker", torch::nn::Linear(options.hidden_size, options.hidden_size))),
      first_(register_module("first", ConvLayer(layer_options(options, first_site)))),
      second_(register_module("second", ConvLayer(layer_options(options, first_site + 1)))),
      to_log_(register_module("to_log", torch::nn::Linear(options.hidden_size, 1))) {}

torch::Tensor DurationPredictorImpl::forward(const torch::Tensor& hidden,
                                             const torch::Tensor& speaker,
                                             const Sequence& sequence) {
  const auto x = hidden + speaker_->forward(speaker).unsqueeze(1);
  const auto y = second_->forward(first_->forward(x, sequence), sequence);
  return apply_linear(to_log_, y).squeeze(2).to(exact_type(hidden.scalar_type()));
}

torch::Tensor duration_loss(const torch::Tensor& log_durations, const torch::Tensor& durations,
                            const torch::Tensor& real) {
  const auto target = durations.clamp_min(1).to(log_durations.scalar_type()).log();
  return real_mean((log_durations - target).square().unsqueeze(2), real);
}

torch::Tensor spoken_durations(const torch::Tensor& log_durations, double rate,
                               const torch::Tensor& real) {
  const auto frames = (log_durations.exp() / rate).round().clamp(1, kMostFramesOfToken);
  return frames.to(torch::kInt32).masked_fill(~real, 0);
}

}  // namespace seda::model
