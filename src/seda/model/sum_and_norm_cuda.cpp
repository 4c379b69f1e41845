// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <utility>

#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "seda/base/error.h"
#include "seda/device/check_cuda.h"
#include "seda/model/detail/aligned_tensor.h"
#include "seda/model/detail/norm_launch_cuda.h"
#include "seda/model/detail/sum_and_norm.h"

namespace seda::model::detail {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

using MaybeTensor = std::optional<torch::Tensor>;

/// What is no input of the graph, kept for the backward pass.
struct NormPlan : torch::CustomClassHolder {
  bool per_row = false;
  bool relu = false;
  bool drops = false;
  NoiseTask keep = {};
  torch::Tensor batch;    ///< What `keep` points to.
  torch::Tensor lengths;  ///< Defined: out is beside its neighbours.
};

using NormPlanPointer = c10::intrusive_ptr<NormPlan>;

NormPlanPointer norm_plan(const SumAndNormInput& input) {
  auto plan = c10::make_intrusive<NormPlan>();
  plan->per_row = input.scale.per_row;
  plan->relu = input.relu;
  plan->drops = input.branch.defined() && input.noise != nullptr && input.dropout.rate > 0;
  if (plan->drops) {
    plan->keep = input.noise->keep_task(1 - input.dropout.rate, input.dropout.site);
    plan->batch = input.noise->batch();
  }
  if (input.lengths.defined()) plan->lengths = input.lengths.contiguous();
  return plan;
}

/// Its tensors as a kernel takes them: arrays, and vectors whose channels are side by side.
struct NormTensors {
  torch::Tensor x;
  torch::Tensor branch;
  torch::Tensor gate;
  torch::Tensor factor;
  torch::Tensor shift;
  torch::Tensor sum;
  torch::Tensor out;
  torch::Tensor mean;
  torch::Tensor inverse;
};

/// Parts of a longer row are read where they lie.
torch::Tensor as_vector(const torch::Tensor& vector) {
  const bool fits = vector.stride(-1) == 1 && begins_aligned(vector) &&
                    (vector.dim() == 1 || vector.stride(0) % 8 == 0);
  return fits ? vector : as_array(vector);
}

NormVector norm_vector(const torch::Tensor& vector) {
  if (!vector.defined()) return {};
  return {.values = vector.const_data_ptr(),
          .row_stride = vector.dim() == 1 ? 0 : vector.stride(0)};
}

const void* data_to_read(const torch::Tensor& tensor) {
  return tensor.defined() ? tensor.const_data_ptr() : nullptr;
}

void* data_to_write(const torch::Tensor& tensor) {
  return tensor.defined() ? tensor.mutable_data_ptr() : nullptr;
}

NormTask norm_task(const NormPlan& plan, const NormTensors& tensors) {
  const auto& shaped = tensors.x.defined() ? tensors.x : tensors.sum;
  NormTask task{};
  task.batch = static_cast<int>(shaped.size(0));
  task.time = static_cast<int>(shaped.size(1));
  task.channels = static_cast<int>(shaped.size(2));
  task.bfloat16 = shaped.scalar_type() == torch::kBFloat16;
  task.per_row = plan.per_row;
  task.relu = plan.relu;
  task.three = plan.lengths.defined();
  task.drops = plan.drops;
  task.keep = plan.keep;
  if (task.three) task.lengths = plan.lengths.const_data_ptr<int32_t>();
  task.x = data_to_read(tensors.x);
  task.branch = data_to_read(tensors.branch);
  task.gate = norm_vector(tensors.gate);
  task.factor = norm_vector(tensors.factor);
  task.shift = norm_vector(tensors.shift);
  task.sum = data_to_write(tensors.sum);
  task.out = data_to_write(tensors.out);
  task.mean = tensors.mean.mutable_data_ptr<float>();
  task.inverse = tensors.inverse.mutable_data_ptr<float>();
  return task;
}

template <typename Task>
void launch_norm(cudaError_t (*launch)(const Task&, cudaStream_t), const Task& task, int index) {
  const auto device = static_cast<c10::DeviceIndex>(index);
  const c10::cuda::CUDAGuard guard(device);
  device::check_cuda(launch(task, c10::cuda::getCurrentCUDAStream(device).stream()), "norm kernel",
                     index);
}

void make_outputs(NormTensors& tensors, bool three) {
  const auto& x = tensors.x;
  const auto statistics = x.options().dtype(torch::kFloat32);
  if (tensors.branch.defined()) tensors.sum = torch::empty_like(x);
  tensors.out = torch::empty({x.size(0), x.size(1), (three ? 3 : 1) * x.size(2)}, x.options());
  tensors.mean = torch::empty({x.size(0), x.size(1)}, statistics);
  tensors.inverse = torch::empty({x.size(0), x.size(1)}, statistics);
}

/// Gradients that the backward kernels write.
struct NormGradients {
  torch::Tensor x;
  torch::Tensor branch;  ///< Undefined: that of x.
  torch::Tensor gate;
  torch::Tensor factor;
  torch::Tensor shift;
};

/// Of zeros where there is no place to sum over, and so nothing to run.
torch::Tensor empty_gradient(const torch::Tensor& like, bool nothing) {
  const auto gradient = torch::empty(like.sizes(), like.options());
  return nothing ? gradient.zero_() : gradient;
}

NormGradients norm_gradients(const NormPlan& plan, const NormTensors& tensors,
                             const variable_list& given) {
  const auto& sum = tensors.sum;
  const bool nothing = sum.numel() == 0;
  NormGradients gradients;
  gradients.x = torch::empty(sum.sizes(), sum.options());
  if (plan.drops || tensors.gate.defined()) gradients.branch = torch::empty_like(gradients.x);
  if (tensors.gate.defined()) gradients.gate = empty_gradient(tensors.gate, nothing);
  gradients.factor = empty_gradient(tensors.factor, nothing);
  gradients.shift = empty_gradient(tensors.shift, nothing);
  if (nothing) return gradients;

  const auto along = given[0].defined() ? as_array(given[0]) : torch::Tensor();
  const auto of_out = given[1].defined() ? as_array(given[1]) : torch::Tensor();
  NormBackwardTask task{};
  task.norm = norm_task(plan, tensors);
  task.tile = norm_tile(task.norm.batch, task.norm.time);
  const auto partials =
      torch::empty({sum.size(0), norm_tiles(task.norm.time, task.tile), kNormVectors, sum.size(2)},
                   tensors.mean.options());
  task.out_gradient = data_to_read(of_out);
  task.sum_gradient = data_to_read(along);
  task.x_gradient = data_to_write(gradients.x);
  task.branch_gradient = data_to_write(gradients.branch);
  task.partials = partials.mutable_data_ptr<float>();
  task.shift_gradient = data_to_write(gradients.shift);
  task.factor_gradient = data_to_write(gradients.factor);
  task.gate_gradient = data_to_write(gradients.gate);
  launch_norm(&run_norm_backward, task, sum.get_device());
  return gradients;
}

/// Gives {out} without a branch, {sum, out} with one. Of the branch itself only a gate's gradient
/// has need.
struct SumAndNormNode : torch::autograd::Function<SumAndNormNode> {
  static variable_list forward(AutogradContext* context, const torch::Tensor& x,
                               const MaybeTensor& branch, const MaybeTensor& gate,
                               const torch::Tensor& factor, const torch::Tensor& shift,
                               const NormPlanPointer& plan) {
    NormTensors tensors;
    tensors.x = as_array(x);
    if (branch) tensors.branch = as_array(*branch);
    if (gate) tensors.gate = as_vector(*gate);
    tensors.factor = as_vector(factor);
    tensors.shift = as_vector(shift);
    make_outputs(tensors, plan->lengths.defined());
    launch_norm(&run_norm, norm_task(*plan, tensors), x.get_device());

    context->set_materialize_grads(false);
    context->saved_data["plan"] = c10::IValue::make_capsule(plan);
    context->saved_data["has_branch"] = branch.has_value();
    context->save_for_backward({branch ? tensors.sum : tensors.x,
                                gate ? tensors.branch : torch::Tensor(), tensors.gate,
                                tensors.factor, tensors.shift, tensors.mean, tensors.inverse});
    if (!branch) return {tensors.out};
    return {tensors.sum, tensors.out};
  }

  static variable_list backward(AutogradContext* context, const variable_list& given) {
    const auto holder = context->saved_data["plan"].toCapsule();
    const auto& plan = static_cast<const NormPlan&>(*holder);
    const bool has_branch = context->saved_data["has_branch"].toBool();
    const auto saved = context->get_saved_variables();
    NormTensors tensors;
    tensors.sum = saved[0];
    tensors.branch = saved[1];
    tensors.gate = saved[2];
    tensors.factor = saved[3];
    tensors.shift = saved[4];
    tensors.mean = saved[5];
    tensors.inverse = saved[6];
    const variable_list of_outputs = has_branch ? given : variable_list{torch::Tensor(), given[0]};
    const NormGradients found = norm_gradients(plan, tensors, of_outputs);
    auto of_branch = found.branch.defined() ? found.branch : found.x;
    if (!has_branch) of_branch.reset();
    return {found.x, of_branch, found.gate, found.factor, found.shift, {}};
  }
};

bool is_vector(const torch::Tensor& vector, const torch::Tensor& x, bool per_row) {
  const bool fits = per_row ? vector.dim() == 3 && vector.size(0) == x.size(0) &&
                                  vector.size(1) == 1 && vector.size(2) == x.size(2)
                            : vector.dim() == 1 && vector.size(0) == x.size(2);
  return fits && vector.scalar_type() == x.scalar_type();
}

/// The kernels would read whatever they were given.
void check_input(const SumAndNormInput& input) {
  const auto& x = input.x;
  const auto& branch = input.branch;
  const auto& scale = input.scale;
  const auto type = x.scalar_type();
  const bool fits =
      x.dim() == 3 && x.size(2) % 8 == 0 && x.size(2) <= kNormMostChannels &&
      (type == torch::kFloat32 || type == torch::kBFloat16) &&
      is_vector(scale.factor, x, scale.per_row) && is_vector(scale.shift, x, scale.per_row) &&
      (!branch.defined() || (branch.sizes() == x.sizes() && branch.scalar_type() == type)) &&
      (!input.gate.defined() || is_vector(input.gate, x, true));
  if (!fits) throw_error(ErrorKind::internal, "norm: tensors do not fit the fused kernel");
}

MaybeTensor maybe(const torch::Tensor& tensor) {
  return tensor.defined() ? MaybeTensor(tensor) : std::nullopt;
}

}  // namespace

SumAndNorm sum_and_norm(const SumAndNormInput& input) {
  check_input(input);
  auto found = SumAndNormNode::apply(input.x, maybe(input.branch), maybe(input.gate),
                                     input.scale.factor, input.scale.shift, norm_plan(input));
  if (!input.branch.defined()) return {.sum = input.x, .out = std::move(found[0])};
  return {.sum = std::move(found[0]), .out = std::move(found[1])};
}

}  // namespace seda::model::detail
