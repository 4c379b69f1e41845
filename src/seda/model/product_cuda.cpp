// SPDX-License-Identifier: Apache-2.0
// Products with a bias, and GELU, are asked of cuBLASLt first; where it has none of that shape,
// torch's operations do the same one after another. Products without are torch's. With x [places,
// inputs] and W [outputs, inputs]: y = x Wᵀ + b, dx = dy W, dW = dyᵀ x, db = the sum of dy's rows.
#include <utility>

#include "seda/model/detail/bias_gradient.h"
#include "seda/model/detail/lt_product_cuda.h"
#include "seda/model/detail/product.h"

namespace seda::model::detail {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// [places, outputs]
torch::Tensor linear_product(const torch::Tensor& x, const torch::Tensor& weight,
                             const torch::Tensor& bias) {
  auto y = torch::empty({x.size(0), weight.size(0)}, x.options());
  const bool done =
      run_lt_linear({.x = x, .weight = weight, .bias = bias, .inner = {}, .result = y});
  return done ? y : torch::addmm(bias, x, weight.t());
}

struct GeluOutput {
  torch::Tensor inner;  ///< What GELU took.
  torch::Tensor outer;  ///< What it gave.
};

GeluOutput gelu_product(const torch::Tensor& x, const torch::Tensor& weight,
                        const torch::Tensor& bias) {
  GeluOutput output;
  output.inner = torch::empty({x.size(0), weight.size(0)}, x.options());
  output.outer = torch::empty_like(output.inner);
  const bool done = run_lt_linear(
      {.x = x, .weight = weight, .bias = bias, .inner = output.inner, .result = output.outer});
  if (done) return output;
  output.inner = torch::addmm(bias, x, weight.t());
  output.outer = torch::gelu(output.inner, "tanh");
  return output;
}

/// Of a product and of the bias beside it.
struct ProductGradient {
  torch::Tensor product;
  torch::Tensor bias;
};

/// Of W and b.
ProductGradient weight_gradient(const torch::Tensor& gradient, const torch::Tensor& x) {
  return {.product = gradient.t().mm(x), .bias = bias_gradient(gradient)};
}

/// Of what GELU took, and of the bias in it.
ProductGradient gelu_gradient(const torch::Tensor& gradient, const torch::Tensor& weight,
                              const torch::Tensor& inner) {
  auto of_inner = gradient.mm(weight);
  auto of_bias = gelu_bias_gradient(of_inner, inner);
  return {.product = std::move(of_inner), .bias = std::move(of_bias)};
}

struct LinearProduct : torch::autograd::Function<LinearProduct> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& weight, const torch::Tensor& bias) {
    context->set_materialize_grads(false);
    context->save_for_backward({x, weight});
    return linear_product(x, weight, bias);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    if (!gradients[0].defined()) return {{}, {}, {}};
    const auto saved = context->get_saved_variables();
    const auto gradient = gradients[0].contiguous();
    ProductGradient of_weights;
    if (context->needs_input_grad(1) || context->needs_input_grad(2)) {
      of_weights = weight_gradient(gradient, saved[0]);
    }
    torch::Tensor of_x;
    if (context->needs_input_grad(0)) of_x = gradient.mm(saved[1]);
    return {of_x, of_weights.product, of_weights.bias};
  }
};

struct GeluPair : torch::autograd::Function<GeluPair> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& wide_weight, const torch::Tensor& wide_bias,
                               const torch::Tensor& narrow_weight,
                               const torch::Tensor& narrow_bias) {
    const GeluOutput gelu = gelu_product(x, wide_weight, wide_bias);
    context->set_materialize_grads(false);
    context->save_for_backward({x, wide_weight, narrow_weight, gelu.inner, gelu.outer});
    return linear_product(gelu.outer, narrow_weight, narrow_bias);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    if (!gradients[0].defined()) return {{}, {}, {}, {}, {}};
    const auto saved = context->get_saved_variables();
    const auto gradient = gradients[0].contiguous();
    ProductGradient of_narrow;
    if (context->needs_input_grad(3) || context->needs_input_grad(4)) {
      of_narrow = weight_gradient(gradient, saved[4]);
    }
    const ProductGradient of_inner = gelu_gradient(gradient, saved[2], saved[3]);
    torch::Tensor of_wide;
    if (context->needs_input_grad(1)) of_wide = of_inner.product.t().mm(saved[0]);
    torch::Tensor of_x;
    if (context->needs_input_grad(0)) of_x = of_inner.product.mm(saved[1]);
    return {of_x, of_wide, of_inner.bias, of_narrow.product, of_narrow.bias};
  }
};

}  // namespace

torch::Tensor linear_cuda(const torch::Tensor& x, const LinearWeights& weights) {
  return LinearProduct::apply(x, weights.weight, weights.bias);
}

torch::Tensor gelu_pair_cuda(const torch::Tensor& x, const LinearWeights& widen,
                             const LinearWeights& narrow) {
  return GeluPair::apply(x, widen.weight, widen.bias, narrow.weight, narrow.bias);
}

}  // namespace seda::model::detail
