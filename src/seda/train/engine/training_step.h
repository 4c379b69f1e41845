// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <torch/torch.h>

#include "seda/model/voice_model.h"
#include "seda/train/engine.h"
#include "seda/train/engine/flat_parameters.h"
#include "seda/train/engine/gradient_exchange.h"
#include "seda/train/engine/optimizer.h"
#include "seda/train/engine/rank_group.h"

namespace seda::train {

/// What one batch does: losses, gradients, and the update where it ends one.
///
/// `run` only enqueues, and reads nothing from the host that changes from step to step: what does
/// is set by `prepare` in tensors of fixed addresses. So it may be captured in a CUDA graph, once
/// for each shape and each value of `ends_update`.
class TrainingStep {
 public:
  /// The parameters are those of `model`; all outlive this. `group` is null for a single rank; with
  /// others, losses and gradients are those of all ranks' batches together.
  TrainingStep(model::VoiceModel model, FlatParameters& parameters, Optimizer& optimizer,
               RankGroup* group, const EngineOptions& options);

  /// For the next `run`.
  void prepare(const StepOptions& options);

  /// Whether the batch of that number is the last of its update.
  bool ends_update(int part) const noexcept;

  /// `phases`, if given, hears when each part begins; not while a graph is captured.
  void run(const model::ModelBatch& batch, bool ends_update,
           model::PhaseListener* phases = nullptr);

  /// `run` without an effect: weights, moments, average, gradient and latch stay as they are.
  void rehearse(const model::ModelBatch& batch, bool ends_update);

  /// Of the last `run`: LossColumn.  // [kLossColumns] fp32
  const torch::Tensor& row() const noexcept { return row_; }

 private:
  model::ModelLosses losses_of(const model::ModelBatch& batch, model::PhaseListener* phases);
  void make_gradients(const torch::Tensor& loss, bool ends_update);
  torch::Tensor terms_of(const model::ModelLosses& losses);

  model::VoiceModel model_;
  FlatParameters& parameters_;
  Optimizer& optimizer_;
  RankGroup* group_ = nullptr;
  std::optional<GradientExchange> exchange_;
  int accumulation_ = 1;
  bool checked_ = false;
  torch::Tensor batch_;  // [] int64: its number, counted over all updates
  model::Noise noise_;
  torch::Tensor row_;
};

}  // namespace seda::train
