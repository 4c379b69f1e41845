// SPDX-License-Identifier: Apache-2.0
#include "seda/model/discriminators.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "seda/model/mel_torch.h"

namespace seda::model {
namespace {

constexpr double kJudgeSlope = 0.1;  // of leaky ReLUs below zero
constexpr std::array<double, 6> kBandEdges = {0, 0.1, 0.25, 0.5, 0.75, 1};  // of half the rate

torch::Tensor mean_of(const std::vector<torch::Tensor>& terms) {
  return torch::stack(terms).mean();
}

/// How much 1 is above it, on average.
torch::Tensor hinge(const torch::Tensor& score) {
  return (1 - score.to(torch::kFloat32)).relu().mean();
}

torch::Tensor network_distance(const Judgement& real, const Judgement& made) {
  std::vector<torch::Tensor> layers;
  layers.reserve(real.features.size());
  for (size_t i = 0; i < real.features.size(); ++i) {
    layers.push_back(
        (real.features[i].detach().to(torch::kFloat32) - made.features[i].to(torch::kFloat32))
            .abs()
            .mean());
  }
  return torch::stack(layers).sum();
}

/// The layers of one band: wide along frequencies, three of them halve these.
std::vector<NormedConv> band_layers(int64_t channels) {
  std::vector<NormedConv> layers;
  layers.emplace_back(NormedConvImpl::Shape{.from = 2, .to = channels, .rows = 3, .columns = 9});
  for (int i = 0; i < 3; ++i) {
    layers.emplace_back(NormedConvImpl::Shape{
        .from = channels, .to = channels, .rows = 3, .columns = 9, .column_stride = 2});
  }
  layers.emplace_back(
      NormedConvImpl::Shape{.from = channels, .to = channels, .rows = 3, .columns = 3});
  return layers;
}

}  // namespace

NormedConvImpl::NormedConvImpl(const Shape& shape)
    : shape_(shape),
      direction_(register_parameter(
          "direction", torch::empty({shape.to, shape.from, shape.rows, shape.columns}))),
      length_(register_parameter("length", torch::empty({shape.to, 1, 1, 1}))),
      bias_(register_parameter("bias", torch::zeros({shape.to}))) {
  const torch::NoGradGuard no_grad;
  torch::nn::init::kaiming_uniform_(direction_, std::sqrt(5.0));
  length_.copy_(direction_.square().sum({1, 2, 3}, /*keepdim=*/true).sqrt());
}

torch::Tensor NormedConvImpl::forward(const torch::Tensor& x) {
  const auto weight = torch::_weight_norm(direction_, length_, 0).to(x.scalar_type());
  // Kernels of tensor cores take channels last.
  return torch::conv2d(x.contiguous(torch::MemoryFormat::ChannelsLast),
                       weight.contiguous(torch::MemoryFormat::ChannelsLast),
                       bias_.to(x.scalar_type()), {shape_.row_stride, shape_.column_stride},
                       {shape_.rows / 2, shape_.columns / 2});
}

PeriodDiscriminatorImpl::PeriodDiscriminatorImpl(int64_t period, int64_t channels)
    : period_(period) {
  int64_t from = 1;
  for (const int64_t factor : {1, 4, 16, 32, 32}) {
    const bool strides = layers_.size() < 4;
    layers_.emplace_back(register_module(
        fmt::format("layer_{}", layers_.size()),
        NormedConv(NormedConvImpl::Shape{
            .from = from, .to = channels * factor, .rows = 5, .row_stride = strides ? 3 : 1})));
    from = channels * factor;
  }
  last_ = register_module("last", NormedConv(NormedConvImpl::Shape{.from = from, .rows = 3}));
}

Judgement PeriodDiscriminatorImpl::forward(const torch::Tensor& sounds, torch::ScalarType compute) {
  const int64_t lacking = (period_ - sounds.size(1) % period_) % period_;
  auto x = mirrored(sounds, 0, lacking).view({sounds.size(0), 1, -1, period_}).to(compute);
  Judgement out;
  for (NormedConv& layer : layers_) {
    x = torch::leaky_relu(layer->forward(x), kJudgeSlope);
    out.features.push_back(x);
  }
  out.score = last_->forward(x);
  out.features.push_back(out.score);
  return out;
}

SpectrumDiscriminatorImpl::SpectrumDiscriminatorImpl(int64_t size, int64_t channels)
    : size_(size), window_(register_buffer("window", torch::hann_window(size, torch::kFloat32))) {
  for (size_t band = 0; band + 1 < kBandEdges.size(); ++band) {
    auto layers = band_layers(channels);
    for (size_t i = 0; i < layers.size(); ++i)
      register_module(fmt::format("band_{}_{}", band, i), layers[i]);
    bands_.push_back(std::move(layers));
  }
  last_ = register_module(
      "last", NormedConv(NormedConvImpl::Shape{.from = channels, .rows = 3, .columns = 3}));
}

/// Real and imaginary parts, of such a scale that loud speech is about one.
/// [batch, 2, frames, bins]
torch::Tensor SpectrumDiscriminatorImpl::spectrum(const torch::Tensor& sounds) const {
  const int64_t hop = size_ / 4;
  const int64_t pad = (size_ - hop) / 2;
  const auto parts =
      torch::view_as_real(short_time_spectrum(mirrored(sounds, pad, pad), window_, hop));
  return parts.permute({0, 3, 1, 2}) / std::sqrt(static_cast<double>(size_));
}

Judgement SpectrumDiscriminatorImpl::forward(const torch::Tensor& sounds,
                                             torch::ScalarType compute) {
  const auto whole = spectrum(sounds).to(compute);
  const auto bins = static_cast<double>(whole.size(3));
  Judgement out;
  std::vector<torch::Tensor> ends;
  ends.reserve(bands_.size());
  for (size_t band = 0; band < bands_.size(); ++band) {
    auto x = whole.slice(3, static_cast<int64_t>(kBandEdges[band] * bins),
                         static_cast<int64_t>(kBandEdges[band + 1] * bins));
    for (NormedConv& layer : bands_[band]) {
      x = torch::leaky_relu(layer->forward(x), kJudgeSlope);
      out.features.push_back(x);
    }
    ends.push_back(x);
  }
  out.score = last_->forward(torch::cat(ends, 3));
  out.features.push_back(out.score);
  return out;
}

DiscriminatorsImpl::DiscriminatorsImpl(const DiscriminatorOptions& options) {
  for (const int period : options.periods) {
    periods_.emplace_back(register_module(fmt::format("period_{}", period),
                                          PeriodDiscriminator(period, options.period_channels)));
  }
  for (const int size : options.spectrum_sizes) {
    spectra_.emplace_back(register_module(fmt::format("spectrum_{}", size),
                                          SpectrumDiscriminator(size, options.spectrum_channels)));
  }
}

DiscriminatorsImpl::All DiscriminatorsImpl::forward(const torch::Tensor& sounds) {
  All out;
  for (PeriodDiscriminator& network : periods_)
    out.periods.push_back(network->forward(sounds, compute_));
  for (SpectrumDiscriminator& network : spectra_)
    out.spectra.push_back(network->forward(sounds, compute_));
  return out;
}

torch::Tensor judging_loss(const Judgements& both) {
  std::vector<torch::Tensor> terms;
  terms.reserve(both.size());
  for (const Judgement& network : both) {
    const auto halves = network.score.chunk(2);
    terms.push_back(hinge(halves[0]) + hinge(-halves[1]));
  }
  return mean_of(terms);
}

torch::Tensor fooling_loss(const Judgements& made) {
  std::vector<torch::Tensor> terms;
  terms.reserve(made.size());
  for (const Judgement& network : made)
    terms.push_back(hinge(network.score));
  return mean_of(terms);
}

torch::Tensor feature_distance(const Judgements& real, const Judgements& made) {
  std::vector<torch::Tensor> terms;
  terms.reserve(real.size());
  for (size_t i = 0; i < real.size(); ++i)
    terms.push_back(network_distance(real[i], made[i]));
  return mean_of(terms);
}

}  // namespace seda::model
