// SPDX-License-Identifier: Apache-2.0
#include "seda/model/conv_layer.h"

namespace seda::model {

ConvLayerImpl::ConvLayerImpl(const ConvLayerOptions& options)
    : options_(options),
      conv_(register_module("conv", TimeConv(options.inputs, options.outputs, options.kernel))),
      norm_(register_module(
          "norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({options.outputs})))) {}

torch::Tensor ConvLayerImpl::forward(const torch::Tensor& x, const Sequence& sequence) {
  const auto y = torch::relu(norm_->forward(conv_->forward(x * sequence.keep)));
  const auto kept = dropout(y, options_.dropout, sequence.noise);
  return options_.residual ? x + kept : kept;
}

}  // namespace seda::model
