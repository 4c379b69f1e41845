// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <torch/torch.h>

#include "seda/model/vocos_options.h"

namespace seda::model {

/// What one network says of a batch of sounds.
struct Judgement {
  torch::Tensor score;                  ///< High for recordings, at each place it looks at.
  std::vector<torch::Tensor> features;  ///< What its layers saw, the score last.
};

/// One judgement of each network of a kind.
using Judgements = std::vector<Judgement>;

/// A convolution over two sides whose kernels are a direction and a length (weight norm). Weights
/// are fp32 and computed with in the type of what they are given.
class NormedConvImpl final : public torch::nn::Module {
 public:
  struct Shape {
    int64_t from = 1;
    int64_t to = 1;
    int64_t rows = 1;     ///< Of the kernel; odd.
    int64_t columns = 1;  ///< Odd.
    int64_t row_stride = 1;
    int64_t column_stride = 1;
  };
  explicit NormedConvImpl(const Shape& shape);

  torch::Tensor forward(const torch::Tensor& x);

 private:
  Shape shape_;
  torch::Tensor direction_;  // [to, from, rows, columns]
  torch::Tensor length_;     // [to, 1, 1, 1]
  torch::Tensor bias_;       // [to]
};
TORCH_MODULE(NormedConv);

/// Looks at every period-th sample at once (HiFi-GAN, Kong, Kim, Bae 2020): what is periodic in a
/// voice stands in columns.
class PeriodDiscriminatorImpl final : public torch::nn::Module {
 public:
  PeriodDiscriminatorImpl(int64_t period, int64_t channels);

  Judgement forward(const torch::Tensor& sounds, torch::ScalarType compute);  // [batch, samples]

 private:
  int64_t period_;
  std::vector<NormedConv> layers_;
  NormedConv last_ = nullptr;
};
TORCH_MODULE(PeriodDiscriminator);

/// Looks at a complex spectrum, each of five bands of it with layers of its own.
class SpectrumDiscriminatorImpl final : public torch::nn::Module {
 public:
  SpectrumDiscriminatorImpl(int64_t size, int64_t channels);

  Judgement forward(const torch::Tensor& sounds, torch::ScalarType compute);  // [batch, samples]

 private:
  torch::Tensor spectrum(const torch::Tensor& sounds) const;

  int64_t size_;
  std::vector<std::vector<NormedConv>> bands_;
  NormedConv last_ = nullptr;
  torch::Tensor window_;  // [size]
};
TORCH_MODULE(SpectrumDiscriminator);

/// All that judge: by periods and by spectra.
class DiscriminatorsImpl final : public torch::nn::Module {
 public:
  /// Checked options. Weights are drawn from torch's generator.
  explicit DiscriminatorsImpl(const DiscriminatorOptions& options);

  /// Type of convolutions from now on; fp32 at first. Spectra and weights stay fp32.
  void compute_in(torch::ScalarType type) { compute_ = type; }

  struct All {
    Judgements periods;
    Judgements spectra;
  };
  /// Sounds are longer than the largest spectrum.  // [batch, samples] fp32
  All forward(const torch::Tensor& sounds);

 private:
  torch::ScalarType compute_ = torch::kFloat32;
  std::vector<PeriodDiscriminator> periods_;
  std::vector<SpectrumDiscriminator> spectra_;
};
TORCH_MODULE(Discriminators);

/// Mean over networks of the hinge: max(0, 1 - score) of recordings and max(0, 1 + score) of what
/// was made, where the first half of the batch is recordings.  // [] fp32
torch::Tensor judging_loss(const Judgements& both);

/// Mean over networks of max(0, 1 - score) of what was made.  // [] fp32
torch::Tensor fooling_loss(const Judgements& made);

/// How far what layers saw of the one is from what they saw of the other, on average for each
/// layer, summed over layers, mean over networks. No gradient goes to `real`.  // [] fp32
torch::Tensor feature_distance(const Judgements& real, const Judgements& made);

}  // namespace seda::model
