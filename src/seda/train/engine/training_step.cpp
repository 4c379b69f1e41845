// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/training_step.h"

#include "seda/train/engine/check_finite.h"
#include "seda/train/engine/loss_ring.h"
#include "seda/train/engine/loss_shares.h"

namespace seda::train {
namespace {

constexpr int64_t kPieceElements = int64_t{2} << 20;  // 8 MB

torch::TensorOptions on_device_of(const torch::Tensor& tensor, torch::ScalarType type) {
  return torch::TensorOptions().dtype(type).device(tensor.device());
}

}  // namespace

TrainingStep::TrainingStep(model::VoiceModel model, FlatParameters& parameters,
                           Optimizer& optimizer, RankGroup* group, const EngineOptions& options)
    : model_(std::move(model)),
      parameters_(parameters),
      optimizer_(optimizer),
      group_(group),
      accumulation_(options.optimizer.accumulation),
      checked_(options.checked),
      batch_(torch::zeros({}, on_device_of(optimizer.latch(), torch::kInt64))),
      noise_(options.seed, batch_, options.ranks.rank, options.ranks.count, accumulation_),
      row_(torch::zeros({kLossColumns}, on_device_of(optimizer.latch(), torch::kFloat32))) {
  if (group_ != nullptr) exchange_.emplace(parameters, *group_, accumulation_ > 1, kPieceElements);
}

void TrainingStep::prepare(const StepOptions& options) {
  const uint64_t batch =
      options.update * static_cast<uint64_t>(accumulation_) + static_cast<uint64_t>(options.part);
  batch_.fill_(static_cast<int64_t>(batch));
  optimizer_.set_lr(options.lr);
}

bool TrainingStep::ends_update(int part) const noexcept {
  return part + 1 >= accumulation_;
}

void TrainingStep::run(const model::ModelBatch& batch, bool ends_update,
                       model::PhaseListener* phases) {
  const model::ModelLosses losses = losses_of(batch, phases);
  if (checked_) check_losses(losses);
  if (phases != nullptr) phases->begin(model::Phase::backward);
  {
    // Not around the losses: torch would write a backtrace of every operation, which takes seconds.
    const AnomalyScope anomalies(checked_);
    make_gradients(losses.total, ends_update);
  }
  if (phases != nullptr) phases->begin(model::Phase::optimizer);

  const torch::NoGradGuard no_grad;
  const torch::Tensor terms = terms_of(losses);
  optimizer_.watch(terms[0]);
  const torch::Tensor norm =
      ends_update ? optimizer_.update() : torch::zeros_like(optimizer_.latch());
  row_.copy_(torch::cat({terms, torch::stack({norm, optimizer_.latch()})}));
}

void TrainingStep::rehearse(const model::ModelBatch& batch, bool ends_update) {
  const torch::Tensor& gradient = parameters_.state().gradient;
  const torch::Tensor latch = optimizer_.latch().clone();
  const torch::Tensor kept = accumulation_ > 1 ? gradient.clone() : torch::Tensor();
  optimizer_.latch().fill_(1);
  run(batch, ends_update);
  optimizer_.latch().copy_(latch);
  if (kept.defined()) gradient.copy_(kept);
}

model::ModelLosses TrainingStep::losses_of(const model::ModelBatch& batch,
                                           model::PhaseListener* phases) {
  if (group_ == nullptr) return model_->losses(batch, noise_, phases);
  LossShares shares(batch, *group_);
  return shares.weighed(model_->losses(batch, noise_, phases));
}

void TrainingStep::make_gradients(const torch::Tensor& loss, bool ends_update) {
  const bool exchanges = exchange_ && ends_update;
  if (exchanges) exchange_->begin();
  const auto gradients = torch::autograd::grad({loss}, parameters_.parameters(),
                                               /*grad_outputs=*/{}, /*retain_graph=*/false,
                                               /*create_graph=*/false, /*allow_unused=*/true);
  const torch::NoGradGuard no_grad;
  if (checked_) check_gradients(parameters_.layout(), gradients);
  if (exchanges) {
    exchange_->finish(gradients);
  } else if (accumulation_ > 1) {
    parameters_.add_gradients(gradients);
  } else {
    parameters_.write_gradients(gradients);
  }
}

/// The first columns of a row: sums over the ranks.
torch::Tensor TrainingStep::terms_of(const model::ModelLosses& losses) {
  torch::Tensor terms = torch::stack({losses.total, losses.prior, losses.duration, losses.flow});
  if (group_ != nullptr) sum(*group_, terms);
  return terms;
}

}  // namespace seda::train
