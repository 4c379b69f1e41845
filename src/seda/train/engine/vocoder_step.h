// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <torch/torch.h>

#include "seda/model/discriminators.h"
#include "seda/model/vocos.h"
#include "seda/train/engine/crops.h"
#include "seda/train/engine/flat_parameters.h"
#include "seda/train/engine/optimizer.h"

namespace seda::train {

/// Numbers that a step leaves on the device, in this order.
enum class VocoderColumn : int64_t {
  total,
  mel,
  fooling,
  features,
  judging,
  gradient_norm,
  judge_gradient_norm,
  latched
};
inline constexpr int64_t kVocoderColumns = 8;

/// From a row on the host.
VocoderLosses vocoder_losses_of(const float* row);

/// A network in training with what updates it.
template <typename Network>
struct Learning {
  Network network;
  FlatParameters parameters;
  Optimizer optimizer;

  Learning(Network made, torch::Device device, const OptimizerOptions& options, bool fused)
      : network(std::move(made)),
        parameters(network.ptr(), device, torch::kFloat32),
        optimizer(parameters, options, fused, /*whole=*/false) {}
  Learning(const Learning&) = delete;
  Learning& operator=(const Learning&) = delete;
};

/// What one update does: crops, the discriminators' update where they count, then the generator's.
///
/// `run` only enqueues, and reads nothing from the host that changes from step to step: what does
/// is set by `prepare` in tensors of fixed addresses. So it may be captured in a CUDA graph, once
/// for each value of `judged`.
class VocoderStep {
 public:
  /// All outlive this. `heard` is the mel that sounds are compared by.
  VocoderStep(Learning<model::Vocos>& generator, Learning<model::Discriminators>& judges,
              const CropSource& crops, const model::MelTorch& heard,
              const VocoderEngineOptions& options);

  /// For the next `run`.
  void prepare(uint64_t update, double lr);

  void run(bool judged);

  /// `run` without an effect: weights, moments, average and latches stay as they are.
  void rehearse(bool judged);

  /// Of the last `run`: VocoderColumn.  // [kVocoderColumns] fp32
  const torch::Tensor& row() const noexcept { return row_; }

 private:
  /// Terms of the generator's loss, and its sum.
  struct Terms {
    torch::Tensor total;
    torch::Tensor mel;
    torch::Tensor fooling;
    torch::Tensor features;
  };
  /// What an update of one network leaves.
  struct Update {
    torch::Tensor loss;
    torch::Tensor gradient_norm;
  };

  Update teach_judges(const Crops& crops, const torch::Tensor& made);
  Terms terms_of(const Crops& crops, const torch::Tensor& made, bool judged);
  template <typename Network>
  torch::Tensor learn(Learning<Network>& learning, const torch::Tensor& loss);

  Learning<model::Vocos>& generator_;
  Learning<model::Discriminators>& judges_;
  const CropSource& crops_;
  const model::MelTorch& heard_;
  int64_t rows_;
  torch::Tensor key_;  // [] int64
  model::Noise noise_;
  torch::Tensor row_;
};

}  // namespace seda::train
