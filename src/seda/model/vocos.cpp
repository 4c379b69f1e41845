// SPDX-License-Identifier: Apache-2.0
#include "seda/model/vocos.h"

#include <cmath>

#include <fmt/format.h>

#include "seda/audio/mel_tables.h"

namespace seda::model {
namespace {

constexpr int64_t kKernel = 7;
constexpr double kNormEpsilon = 1e-6;
constexpr double kWeightDeviation = 0.02;
/// Of squared windows on a sample; below it no window reaches it, and its sum of frames is zero.
constexpr double kLeastCover = 1e-8;

torch::nn::Conv1d convolution(int64_t from, int64_t to, int64_t groups) {
  const auto options =
      torch::nn::Conv1dOptions(from, to, kKernel).padding(kKernel / 2).groups(groups);
  torch::nn::Conv1d layer(options);
  return layer;
}

torch::nn::LayerNorm channel_norm(int64_t width) {
  return torch::nn::LayerNorm(torch::nn::LayerNormOptions({width}).eps(kNormEpsilon));
}

torch::Tensor product(const torch::Tensor& x, const torch::nn::Linear& by,
                      torch::ScalarType compute) {
  return torch::linear(x.to(compute), by->weight.to(compute), by->bias.to(compute));
}

/// One before a row's end, zero beyond.  // [batch, frames, 1]
torch::Tensor mask_of(const torch::Tensor& lengths, int64_t frames) {
  return (torch::arange(frames, lengths.options()) < lengths.unsqueeze(1))
      .to(torch::kFloat32)
      .unsqueeze(2);
}

torch::Tensor masked(const torch::Tensor& x, const torch::Tensor& mask) {
  return mask.defined() ? x * mask : x;
}

void begin_small(torch::nn::Module& module) {
  const torch::NoGradGuard no_grad;
  for (const auto& parameter : module.named_parameters()) {
    if (parameter.key().ends_with("bias") && parameter.value().dim() == 1) {
      parameter.value().zero_();
    } else if (parameter.value().dim() > 1) {
      torch::nn::init::normal_(parameter.value(), 0, kWeightDeviation);
    }
  }
}

}  // namespace

ConvNextBlockImpl::ConvNextBlockImpl(int64_t width, int64_t hidden, double scale)
    : neighbours_(register_module("neighbours", convolution(width, width, width))),
      norm_(register_module("norm", channel_norm(width))),
      widen_(register_module("widen", torch::nn::Linear(width, hidden))),
      narrow_(register_module("narrow", torch::nn::Linear(hidden, width))),
      scale_(register_parameter("scale", torch::full({width}, scale))) {}

torch::Tensor ConvNextBlockImpl::forward(const torch::Tensor& x, torch::ScalarType compute) {
  const auto near = neighbours_->forward(x.transpose(1, 2)).transpose(1, 2);
  const auto wide = torch::gelu(product(norm_->forward(near), widen_, compute));
  return x + product(wide, narrow_, compute).to(torch::kFloat32) * scale_;
}

VocosImpl::VocosImpl(const VocosOptions& options)
    : options_(options),
      first_(register_module("first", convolution(options.mel.n_mels, options.width, 1))),
      first_norm_(register_module("first_norm", channel_norm(options.width))),
      last_norm_(register_module("last_norm", channel_norm(options.width))),
      head_(register_module("head", torch::nn::Linear(options.width, options.mel.n_fft + 2))),
      window_(register_buffer("window",
                              torch::tensor(audio::mel_window(options.mel), torch::kFloat32))) {
  for (int i = 0; i < options.blocks; ++i) {
    blocks_.emplace_back(
        register_module(fmt::format("block_{}", i),
                        ConvNextBlock(options.width, options.hidden, 1.0 / options.blocks)));
  }
  begin_small(*this);
}

torch::Tensor VocosImpl::forward(const torch::Tensor& mels, const torch::Tensor& lengths) {
  const torch::Tensor mask =
      lengths.defined() ? mask_of(lengths, mels.size(2)) : torch::Tensor();  // [batch, frames, 1]
  const auto input = mask.defined() ? mels * mask.transpose(1, 2) : mels;
  auto x = first_norm_->forward(first_->forward(input).transpose(1, 2));
  for (ConvNextBlock& block : blocks_) {
    if (heed_) heed_();
    x = block->forward(masked(x, mask), compute_);
  }
  const auto said = head_->forward(last_norm_->forward(x)).chunk(2, 2);
  return sound_of(said[0], said[1], lengths);
}

torch::Tensor VocosImpl::sound_of(const torch::Tensor& log_magnitudes, const torch::Tensor& phases,
                                  const torch::Tensor& lengths) const {
  // No samples within [-1, 1] have more than the sum of the window, about half its length.
  const double largest = std::log(options_.mel.win_length / 2.0);
  const auto magnitudes = log_magnitudes.clamp_max(largest).exp();
  const auto spectrum = torch::complex(magnitudes * phases.cos(), magnitudes * phases.sin());
  const torch::Tensor mask = lengths.defined() ? mask_of(lengths, phases.size(1)) : torch::Tensor();
  const auto frames = masked(torch::fft::irfft(spectrum, options_.mel.n_fft) * window_, mask);
  const auto squares = window_.square().expand({1, phases.size(1), options_.mel.n_fft});
  const auto cover = added_up(masked(squares, mask));
  return added_up(frames) / cover.clamp_min(kLeastCover);
}

/// Frames over each other, each a hop after the one before; from sample 0 of the clip on.
/// [batch, frames, n_fft] → [batch, frames · hop_length]
torch::Tensor VocosImpl::added_up(const torch::Tensor& frames) const {
  const int64_t count = frames.size(1);
  const int64_t hop = options_.mel.hop_length;
  const int64_t pad = audio::mel_padding(options_.mel);
  // A centred mel ends before the samples that are wanted where frames hardly overlap.
  const int64_t covered = (count - 1) * hop + options_.mel.n_fft;
  const int64_t wanted = pad + count * hop;
  auto sum = torch::col2im(frames.transpose(1, 2), {1, covered}, {1, options_.mel.n_fft}, {1, 1},
                           {0, 0}, {1, hop})
                 .flatten(1);
  if (wanted > covered) sum = torch::constant_pad_nd(sum, {0, wanted - covered});
  return sum.narrow(1, pad, count * hop);
}

}  // namespace seda::model
