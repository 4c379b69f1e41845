// SPDX-License-Identifier: Apache-2.0
#include "seda/model/conv_layer.h"

#include "seda/model/norm.h"

namespace seda::model {

ConvLayerImpl::ConvLayerImpl(const ConvLayerOptions& options)
    : options_(options),
      conv_(register_module("conv", TimeConv(options.inputs, options.outputs, options.kernel))),
      norm_(register_module(
          "norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({options.outputs})))) {}

torch::Tensor ConvLayerImpl::undropped(const torch::Tensor& x, const Sequence& sequence) {
  return norm_and_relu(conv_->forward_of_real(x, sequence), scale_of(norm_), sequence);
}

torch::Tensor ConvLayerImpl::forward(const torch::Tensor& x, const Sequence& sequence) {
  return dropout(undropped(x, sequence), options_.dropout, sequence.noise);
}

void ConvLayerImpl::add_to(Residual& x, const Sequence& sequence) {
  x.add(undropped(x.value(), sequence), options_.dropout);
}

}  // namespace seda::model
