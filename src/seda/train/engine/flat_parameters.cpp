// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/flat_parameters.h"

namespace seda::train {
namespace {

FlatState empty_state(int64_t size, torch::Device device) {
  const auto options = torch::TensorOptions().dtype(torch::kFloat32).device(device);
  return {.weights = torch::zeros({size}, options),
          .gradient = torch::zeros({size}, options),
          .exp_avg = torch::zeros({size}, options),
          .exp_avg_sq = torch::zeros({size}, options),
          .average = torch::zeros({size}, options),
          .steps = torch::zeros({}, options)};
}

std::vector<torch::Tensor> parameters_of(const torch::nn::Module& module,
                                         const ParameterLayout& layout) {
  const auto named = module.named_parameters();
  std::vector<torch::Tensor> parameters;
  for (const ParameterSlot& slot : layout.slots())
    parameters.push_back(named[slot.name]);
  return parameters;
}

/// Copies in one kernel what lies as its target does; the rest is brought into that form first.
void copy_all(const std::vector<torch::Tensor>& targets, const std::vector<torch::Tensor>& values,
              size_t first) {
  std::vector<torch::Tensor> to;
  std::vector<torch::Tensor> from;
  for (size_t i = 0; i < values.size(); ++i) {
    const torch::Tensor& target = targets[first + i];
    if (!values[i].defined()) {
      target.zero_();
      continue;
    }
    to.push_back(target);
    from.push_back(values[i].contiguous());
  }
  if (!to.empty()) torch::_foreach_copy_(to, from);
}

}  // namespace

FlatParameters::FlatParameters(std::shared_ptr<torch::nn::Module> module, torch::Device device,
                               torch::ScalarType compute)
    : module_(std::move(module)),
      layout_(*module_),
      parameters_(parameters_of(*module_, layout_)),
      state_(empty_state(layout_.size(), device)) {
  const torch::NoGradGuard no_grad;
  module_->to(device);
  const Views weights = views(state_.weights);
  for (size_t i = 0; i < parameters_.size(); ++i)
    weights[i].copy_(parameters_[i]);
  state_.average.copy_(state_.weights);
  compute_ = state_.weights.to(compute);  // the same array where the type is
  gradient_views_ = views(state_.gradient);
  point_at(compute_);
}

FlatParameters::Views FlatParameters::views(const torch::Tensor& flat) const {
  Views views;
  for (const ParameterSlot& slot : layout_.slots())
    views.push_back(ParameterLayout::view(flat, slot));
  return views;
}

void FlatParameters::point_at(const torch::Tensor& flat) {
  const Views places = views(flat);
  for (size_t i = 0; i < parameters_.size(); ++i)
    parameters_[i].set_data(places[i]);
}

void FlatParameters::publish() {
  if (!compute_.is_same(state_.weights)) compute_.copy_(state_.weights);
}

void FlatParameters::write_gradients(const std::vector<torch::Tensor>& gradients, size_t first) {
  copy_all(gradient_views_, gradients, first);
}

void FlatParameters::add_gradients(const std::vector<torch::Tensor>& gradients, size_t first) {
  if (gradients.empty()) return;
  if (!added_.defined()) {
    added_ = torch::zeros_like(compute_);
    added_views_ = views(added_);
  }
  copy_all(added_views_, gradients, first);
  const ParameterSlot& begin = layout_.slots()[first];
  const ParameterSlot& last = layout_.slots()[first + gradients.size() - 1];
  const int64_t length = last.offset + last.size - begin.offset;
  state_.gradient.narrow(0, begin.offset, length).add_(added_.narrow(0, begin.offset, length));
}

AverageInUse::AverageInUse(FlatParameters& parameters) : parameters_(parameters) {
  const torch::NoGradGuard no_grad;
  parameters.point_at(parameters.state().average.to(parameters.compute_type()));
}

AverageInUse::~AverageInUse() {
  const torch::NoGradGuard no_grad;
  parameters_.point_at(parameters_.compute_);
}

}  // namespace seda::train
