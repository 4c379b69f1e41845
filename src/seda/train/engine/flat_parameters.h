// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include <torch/torch.h>

#include "seda/train/engine/parameter_layout.h"

namespace seda::train {

/// What is kept of a model for the optimizer, all fp32.
struct FlatState {
  torch::Tensor weights;     ///< [size]
  torch::Tensor gradient;    ///< [size]
  torch::Tensor exp_avg;     ///< [size]
  torch::Tensor exp_avg_sq;  ///< [size]
  torch::Tensor average;     ///< [size] Of the weights over time: what speaks.
  torch::Tensor steps;       ///< [] Updates done.
};

/// A model's weights in a few flat arrays, so that what is done to all of them takes a few kernels.
///
/// The module's parameters become views: of `weights` where the model computes in fp32, else of an
/// array of the compute type that `publish` renews. Addresses never change but under an
/// `AverageInUse`.
class FlatParameters {
 public:
  /// Moves `module` to `device`.
  FlatParameters(std::shared_ptr<torch::nn::Module> module, torch::Device device,
                 torch::ScalarType compute);

  const ParameterLayout& layout() const noexcept { return layout_; }
  FlatState& state() noexcept { return state_; }
  const FlatState& state() const noexcept { return state_; }

  /// The module's own, in the order of the layout.
  const std::vector<torch::Tensor>& parameters() const noexcept { return parameters_; }
  torch::ScalarType compute_type() const noexcept { return compute_.scalar_type(); }
  /// What the module computes with: the weights themselves in fp32.  // [size]
  const torch::Tensor& compute() const noexcept { return compute_; }

  /// Brings new weights to where the model computes.
  void publish();

  /// Writes gradients of the weights `[first, first + gradients.size())` into the flat gradient; an
  /// undefined one counts as zero. One kernel for some hundred weights.
  void write_gradients(const std::vector<torch::Tensor>& gradients, size_t first = 0);
  /// Likewise, but adds.
  void add_gradients(const std::vector<torch::Tensor>& gradients, size_t first = 0);

 private:
  friend class AverageInUse;

  using Views = std::vector<torch::Tensor>;

  Views views(const torch::Tensor& flat) const;
  void point_at(const torch::Tensor& flat);

  std::shared_ptr<torch::nn::Module> module_;
  ParameterLayout layout_;
  std::vector<torch::Tensor> parameters_;
  FlatState state_;
  torch::Tensor compute_;  // [size]
  Views gradient_views_;
  torch::Tensor added_;  // [size] of the compute type; made when gradients are first added
  Views added_views_;
};

/// While it lives, the module computes with the averaged weights.
class AverageInUse {
 public:
  explicit AverageInUse(FlatParameters& parameters);
  ~AverageInUse();
  AverageInUse(const AverageInUse&) = delete;
  AverageInUse& operator=(const AverageInUse&) = delete;

 private:
  FlatParameters& parameters_;
};

}  // namespace seda::train
