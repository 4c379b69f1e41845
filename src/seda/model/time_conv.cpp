// SPDX-License-Identifier: Apache-2.0
#include "seda/model/time_conv.h"

#include <cstdlib>

#include "seda/model/detail/real_neighbours.h"
#include "seda/model/linear.h"
#include "seda/model/norm.h"

namespace seda::model {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

torch::Tensor gathered(const torch::Tensor& x, int64_t kernel) {
  const int64_t side = kernel / 2;
  const auto padded = torch::constant_pad_nd(x, {0, 0, side, side});
  return padded.unfold(1, kernel, 1)
      .transpose(2, 3)
      .reshape({x.size(0), x.size(1), kernel * x.size(2)});
}

/// Sum of what each place gave to its neighbours.
torch::Tensor spread(const torch::Tensor& gradient, int64_t kernel) {
  const int64_t time = gradient.size(1);
  const auto parts = gradient.view({gradient.size(0), time, kernel, -1});
  auto sum = parts.select(2, kernel / 2).clone(torch::MemoryFormat::Contiguous);
  for (int64_t i = 0; i < kernel; ++i) {
    const int64_t shift = i - kernel / 2;
    const int64_t count = time - std::abs(shift);
    if (shift == 0 || count <= 0) continue;
    const auto given = parts.select(2, i).narrow(1, shift < 0 ? -shift : 0, count);
    sum.narrow(1, shift < 0 ? 0 : shift, count).add_(given);
  }
  return sum;
}

struct Neighbours : torch::autograd::Function<Neighbours> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x, int64_t kernel) {
    context->saved_data["kernel"] = kernel;
    return gathered(x, kernel);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const int64_t kernel = context->saved_data["kernel"].toInt();
    return {spread(gradients[0].contiguous(), kernel), {}};
  }
};

}  // namespace

torch::Tensor neighbours(const torch::Tensor& x, int64_t kernel) {
  return Neighbours::apply(x, kernel);
}

torch::Tensor real_neighbours(const torch::Tensor& x, int64_t kernel, const Sequence& sequence) {
  if (takes_fused(x, sequence)) return detail::real_neighbours_cuda(x, sequence.lengths, kernel);
  return neighbours(x * sequence.keep, kernel);
}

TimeConvImpl::TimeConvImpl(int64_t inputs, int64_t outputs, int64_t kernel)
    : kernel_(kernel),
      product_(register_module("product", torch::nn::Linear(kernel * inputs, outputs))) {}

torch::Tensor TimeConvImpl::forward(const torch::Tensor& x) {
  return apply_linear(product_, neighbours(x, kernel_));
}

torch::Tensor TimeConvImpl::forward_of_real(const torch::Tensor& x, const Sequence& sequence) {
  return apply_linear(product_, real_neighbours(x, kernel_, sequence), sequence.fused);
}

}  // namespace seda::model
