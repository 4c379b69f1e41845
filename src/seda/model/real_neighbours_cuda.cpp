// SPDX-License-Identifier: Apache-2.0
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "seda/device/check_cuda.h"
#include "seda/model/detail/aligned_tensor.h"
#include "seda/model/detail/neighbours_launch_cuda.h"
#include "seda/model/detail/real_neighbours.h"

namespace seda::model::detail {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

using NeighboursLaunch = cudaError_t (*)(const NeighboursTask&, cudaStream_t);

/// `channels` are those of one place on its own, whichever way values go.
void run_neighbours(NeighboursLaunch launch, const torch::Tensor& from, const torch::Tensor& to,
                    const torch::Tensor& lengths, int64_t kernel, int64_t channels) {
  const auto device = from.get_device();
  const c10::cuda::CUDAGuard guard(device);
  const NeighboursTask task{.batch = static_cast<int>(from.size(0)),
                            .time = static_cast<int>(from.size(1)),
                            .channels = static_cast<int>(channels),
                            .kernel = static_cast<int>(kernel),
                            .bfloat16 = from.scalar_type() == torch::kBFloat16,
                            .lengths = lengths.const_data_ptr<int32_t>(),
                            .from = from.const_data_ptr(),
                            .to = to.mutable_data_ptr()};
  device::check_cuda(launch(task, c10::cuda::getCurrentCUDAStream(device).stream()),
                     "neighbours kernel", device);
}

struct RealNeighbours : torch::autograd::Function<RealNeighbours> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& lengths, int64_t kernel) {
    context->set_materialize_grads(false);
    context->save_for_backward({lengths});
    context->saved_data["kernel"] = kernel;
    const auto from = as_array(x);
    auto to = torch::empty({x.size(0), x.size(1), kernel * x.size(2)}, x.options());
    run_neighbours(&run_gather, from, to, lengths, kernel, x.size(2));
    return to;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    if (!gradients[0].defined()) return {{}, {}, {}};
    const int64_t kernel = context->saved_data["kernel"].toInt();
    const auto from = as_array(gradients[0]);
    const int64_t channels = from.size(2) / kernel;
    const auto to = torch::empty({from.size(0), from.size(1), channels}, from.options());
    run_neighbours(&run_spread, from, to, context->get_saved_variables()[0], kernel, channels);
    return {to, {}, {}};
  }
};

}  // namespace

torch::Tensor real_neighbours_cuda(const torch::Tensor& x, const torch::Tensor& lengths,
                                   int64_t kernel) {
  return RealNeighbours::apply(x, lengths.contiguous(), kernel);
}

}  // namespace seda::model::detail
