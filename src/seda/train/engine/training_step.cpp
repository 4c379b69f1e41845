// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/training_step.h"

#include "seda/train/engine/check_finite.h"
#include "seda/train/engine/loss_ring.h"

namespace seda::train {
namespace {

torch::TensorOptions on_device_of(const torch::Tensor& tensor, torch::ScalarType type) {
  return torch::TensorOptions().dtype(type).device(tensor.device());
}

}  // namespace

TrainingStep::TrainingStep(model::VoiceModel model, FlatParameters& parameters,
                           Optimizer& optimizer, const EngineOptions& options)
    : model_(std::move(model)),
      parameters_(parameters),
      optimizer_(optimizer),
      accumulation_(options.optimizer.accumulation),
      checked_(options.checked),
      key_(torch::zeros({}, on_device_of(optimizer.latch(), torch::kInt64))),
      noise_(options.seed, key_, options.ranks.rank, options.ranks.count),
      row_(torch::zeros({kLossColumns}, on_device_of(optimizer.latch(), torch::kFloat32))) {}

void TrainingStep::prepare(const StepOptions& options) {
  const uint64_t key =
      options.update * static_cast<uint64_t>(accumulation_) + static_cast<uint64_t>(options.part);
  key_.fill_(static_cast<int64_t>(key));
  optimizer_.set_lr(options.lr);
}

bool TrainingStep::ends_update(int part) const noexcept {
  return part + 1 >= accumulation_;
}

void TrainingStep::run(const model::ModelBatch& batch, bool ends_update) {
  torch::Tensor norm = torch::zeros_like(optimizer_.latch());
  {
    const AnomalyScope anomalies(checked_);
    const model::ModelLosses losses = model_->losses(batch, noise_);
    if (checked_) check_losses(losses);
    keep_gradients(gradients_of(losses.total));
    const torch::NoGradGuard no_grad;
    optimizer_.watch(losses.total);
    if (ends_update) norm = optimizer_.update();
    report(losses, norm);
  }
}

void TrainingStep::rehearse(const model::ModelBatch& batch, bool ends_update) {
  torch::Tensor& gradient = parameters_.state().gradient;
  const torch::Tensor latch = optimizer_.latch().clone();
  const torch::Tensor kept = accumulation_ > 1 ? gradient.clone() : torch::Tensor();
  optimizer_.latch().fill_(1);
  run(batch, ends_update);
  optimizer_.latch().copy_(latch);
  if (kept.defined()) gradient.copy_(kept);
}

std::vector<torch::Tensor> TrainingStep::gradients_of(const torch::Tensor& loss) const {
  return torch::autograd::grad({loss}, parameters_.parameters(), /*grad_outputs=*/{},
                               /*retain_graph=*/false, /*create_graph=*/false,
                               /*allow_unused=*/true);
}

void TrainingStep::keep_gradients(const std::vector<torch::Tensor>& gradients) {
  const torch::NoGradGuard no_grad;
  if (checked_) check_gradients(parameters_.layout(), gradients);
  if (accumulation_ == 1) {
    parameters_.write_gradients(gradients);
  } else {
    parameters_.add_gradients(gradients);
  }
}

void TrainingStep::report(const model::ModelLosses& losses, const torch::Tensor& norm) {
  row_.copy_(torch::stack(
      {losses.total, losses.prior, losses.duration, losses.flow, norm, optimizer_.latch()}));
}

}  // namespace seda::train
