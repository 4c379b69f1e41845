// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include <torch/torch.h>

#include "seda/model/vocos_options.h"

namespace seda::model {

/// A block of ConvNeXt: each channel's neighbours in time, then each place by itself.
///
///     x + scale · (linear(gelu(linear(norm(convolve(x))))))
class ConvNextBlockImpl final : public torch::nn::Module {
 public:
  /// `scale` is what the layer scale begins with.
  ConvNextBlockImpl(int64_t width, int64_t hidden, double scale);

  /// Products are computed in `compute`, all else in fp32.  // [batch, time, width] → the same
  torch::Tensor forward(const torch::Tensor& x, torch::ScalarType compute);

 private:
  torch::nn::Conv1d neighbours_;
  torch::nn::LayerNorm norm_;
  torch::nn::Linear widen_;
  torch::nn::Linear narrow_;
  torch::Tensor scale_;  // [width]
};
TORCH_MODULE(ConvNextBlock);

/// Sound from log-mels by a network that never leaves their frames: it says magnitude and phase of
/// each, and the inverse short-time transform makes samples of them.
///
/// Frame t of the mel lies where audio::MelOptions has it: its first sample is t · hop_length -
/// pad. The overlapping windowed frames are added up from there and divided by the sum of the
/// squared windows; of the result the first frames · hop_length samples from sample 0 on are given.
class VocosImpl final : public torch::nn::Module {
 public:
  /// Checked options. Weights are drawn from torch's generator.
  explicit VocosImpl(const VocosOptions& options);

  const VocosOptions& options() const noexcept { return options_; }

  /// Type of the products inside blocks from now on; fp32 at first. Transform and phases stay fp32.
  void compute_in(torch::ScalarType type) { compute_ = type; }

  /// Called before each block: what it throws ends `forward`.
  void set_heed(std::function<void()> heed) { heed_ = std::move(heed); }

  /// [batch, n_mels, frames] fp32, [batch] int64 → [batch, frames · hop_length] fp32.
  ///
  /// `lengths` counts the frames of each row; what lies beyond does not count, and what is given
  /// for it means nothing. Undefined: all rows are whole.
  torch::Tensor forward(const torch::Tensor& mels, const torch::Tensor& lengths = {});

  /// The second half: samples of magnitudes' logarithms and phases, both [batch, frames, bins].
  torch::Tensor sound_of(const torch::Tensor& log_magnitudes, const torch::Tensor& phases,
                         const torch::Tensor& lengths = {}) const;

 private:
  torch::Tensor added_up(const torch::Tensor& frames) const;

  VocosOptions options_;
  torch::ScalarType compute_ = torch::kFloat32;
  std::function<void()> heed_;
  torch::nn::Conv1d first_;
  torch::nn::LayerNorm first_norm_;
  std::vector<ConvNextBlock> blocks_;
  torch::nn::LayerNorm last_norm_;
  torch::nn::Linear head_;
  torch::Tensor window_;  // [n_fft]
};
TORCH_MODULE(Vocos);

}  // namespace seda::model
