// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <torch/torch.h>

#include "seda/model/hifigan_options.h"
#include "seda/model/weight_norm.h"

namespace seda::model {

/// The HiFi-GAN generator (Kong, Kim, Bae 2020): sound from log-mels.
///
/// Weights have the names of the published modules: conv_pre, ups.N, resblocks.N.convs1.M and
/// convs2.M (convs.M of resblock 2), conv_post, each with `.weight` and `.bias`.
///
/// Not for training. Enqueues on torch's current stream and does not wait.
class HifiGan {
 public:
  /// fp32 weights on one device; weight norm may be there. Tensors that are missing, foreign or of
  /// another shape are an Error(io) that names all of the missing, or the foreign, or the first of
  /// another shape.
  HifiGan(HifiGanOptions options, const NamedTensors& weights);

  const HifiGanOptions& options() const noexcept { return options_; }

  /// Called between convolutions: what it throws ends `apply`.
  void set_heed(std::function<void()> heed) { heed_ = std::move(heed); }
  torch::Device device() const { return first_.weight.device(); }

  /// Sound of `mels`, in [-1, 1].  // [batch, n_mels, frames] fp32 → [batch, frames · hop_length]
  ///
  /// A row is as long as its length says and what lies beyond it does not count: after every
  /// convolution it is set to zero, as a clip alone would be padded. Samples beyond a row's
  /// length · hop_length are not set to anything.
  torch::Tensor apply(const torch::Tensor& mels, std::span<const int64_t> lengths) const;

 private:
  struct Convolution {
    torch::Tensor weight;
    torch::Tensor bias;
    int64_t dilation = 1;
  };
  using ResidualBlock = std::vector<std::vector<Convolution>>;  // for each dilation, one or two
  struct Stage {
    Convolution up;
    std::vector<ResidualBlock> blocks;  // for each kernel size
  };
  class Lengths;
  class Reader;

  void read(const NamedTensors& weights);
  ResidualBlock read_block(Reader& reader, size_t number, int64_t channels) const;
  torch::Tensor upsample(const torch::Tensor& x, size_t stage, Lengths& lengths) const;
  torch::Tensor residual(torch::Tensor x, const ResidualBlock& block, const Lengths& lengths) const;
  static torch::Tensor convolve(const torch::Tensor& x, const Convolution& by);

  HifiGanOptions options_;
  Convolution first_;
  std::vector<Stage> stages_;
  Convolution last_;
  std::function<void()> heed_;
};

}  // namespace seda::model
