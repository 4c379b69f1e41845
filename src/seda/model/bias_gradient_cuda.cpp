// SPDX-License-Identifier: Apache-2.0
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "seda/device/check_cuda.h"
#include "seda/model/detail/aligned_tensor.h"
#include "seda/model/detail/bias_gradient.h"
#include "seda/model/detail/bias_gradient_launch_cuda.h"

namespace seda::model::detail {
namespace {

/// Of arrays; `inner` may be undefined.
torch::Tensor summed_gradient(const torch::Tensor& gradient, const torch::Tensor& inner) {
  auto result = torch::empty({gradient.size(1)}, gradient.options());
  if (gradient.size(0) == 0) return result.zero_();
  BiasGradientTask task{};
  task.places = gradient.size(0);
  task.columns = static_cast<int>(gradient.size(1));
  task.bfloat16 = gradient.scalar_type() == torch::kBFloat16;
  task.gradient = gradient.mutable_data_ptr();
  task.inner = inner.defined() ? inner.const_data_ptr() : nullptr;
  task.tile = bias_tile(task.places, task.columns);
  task.tiles = static_cast<int>((task.places + task.tile - 1) / task.tile);
  const auto partials =
      torch::empty({task.tiles, task.columns}, gradient.options().dtype(torch::kFloat32));
  task.partials = partials.mutable_data_ptr<float>();
  task.bias_gradient = result.mutable_data_ptr();
  const auto device = gradient.get_device();
  const c10::cuda::CUDAGuard guard(device);
  const auto stream = c10::cuda::getCurrentCUDAStream(device).stream();
  device::check_cuda(run_bias_gradient(task, stream), "kernel of a bias's gradient", device);
  return result;
}

}  // namespace

torch::Tensor bias_gradient(const torch::Tensor& gradient) {
  return summed_gradient(as_array(gradient), {});
}

torch::Tensor gelu_bias_gradient(torch::Tensor& gradient, const torch::Tensor& inner) {
  gradient = as_array(gradient);
  return summed_gradient(gradient, as_array(inner));
}

}  // namespace seda::model::detail
