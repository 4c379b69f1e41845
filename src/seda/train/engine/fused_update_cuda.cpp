// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "seda/base/error.h"
#include "seda/device/check_cuda.h"
#include "seda/train/detail/update_launch_cuda.h"
#include "seda/train/engine/fused_update.h"

namespace seda::train {
namespace {

/// What the kernels write for each other; torch gives it back in the order of the stream.
struct UpdateScratch {
  explicit UpdateScratch(const torch::TensorOptions& weights)
      : squares(torch::empty({detail::kUpdateBlocks}, weights.dtype(torch::kFloat64))),
        numbers(torch::empty({sizeof(detail::UpdateNumbers)}, weights.dtype(torch::kUInt8))) {}

  torch::Tensor squares;
  torch::Tensor numbers;
};

uint16_t* published_bits(const FusedUpdateTensors& tensors) {
  if (tensors.compute.is_same(tensors.state.weights)) return nullptr;
  if (tensors.compute.scalar_type() == torch::kBFloat16)
    return reinterpret_cast<uint16_t*>(tensors.compute.mutable_data_ptr<at::BFloat16>());
  throw_error(ErrorKind::internal, "fused update: expected a model in fp32 or bf16, found {}",
              c10::toString(tensors.compute.scalar_type()));
}

void set_arrays(detail::UpdateTask& task, const FusedUpdateTensors& tensors) {
  const FlatState& state = tensors.state;
  task.size = state.weights.numel();
  task.decaying = tensors.decaying;
  task.weights = state.weights.mutable_data_ptr<float>();
  task.gradient = state.gradient.mutable_data_ptr<float>();
  task.exp_avg = state.exp_avg.mutable_data_ptr<float>();
  task.exp_avg_sq = state.exp_avg_sq.mutable_data_ptr<float>();
  task.average = state.average.mutable_data_ptr<float>();
  task.compute = published_bits(tensors);
  task.steps = state.steps.mutable_data_ptr<float>();
  task.latch = tensors.latch.mutable_data_ptr<float>();
  task.lr = tensors.lr.const_data_ptr<float>();
}

void set_options(detail::UpdateTask& task, const OptimizerOptions& options) {
  task.weight_decay = options.weight_decay;
  task.beta1 = options.beta1;
  task.beta2 = options.beta2;
  task.epsilon = options.epsilon;
  task.clip_norm = options.clip_norm.value_or(std::numeric_limits<double>::infinity());
  task.average_decay = options.average_decay;
  task.accumulation = options.accumulation;
}

}  // namespace

torch::Tensor fused_update(const FusedUpdateTensors& tensors, const OptimizerOptions& options) {
  const auto device = tensors.state.weights.get_device();
  const c10::cuda::CUDAGuard guard(device);
  const UpdateScratch scratch(tensors.state.weights.options());
  auto norm = torch::empty_like(tensors.latch);
  detail::UpdateTask task{};
  set_arrays(task, tensors);
  set_options(task, options);
  task.norm = norm.mutable_data_ptr<float>();
  task.squares = scratch.squares.mutable_data_ptr<double>();
  task.numbers = static_cast<detail::UpdateNumbers*>(scratch.numbers.mutable_data_ptr());
  const auto stream = c10::cuda::getCurrentCUDAStream(device);
  device::check_cuda(detail::run_update(task, stream.stream()), "update kernels", device);
  return norm;
}

}  // namespace seda::train
