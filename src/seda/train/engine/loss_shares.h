// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "seda/model/voice_model.h"
#include "seda/train/engine/rank_group.h"

namespace seda::train {

/// Which part of all ranks' frames and tokens is in this rank's batch.
///
/// Losses are means over real frames or tokens. Weighed by these parts and summed over the ranks,
/// they and their gradients are those of one batch of all clips, however the ranks' clips differ.
class LossShares {
 public:
  /// Begins to count, while the losses are computed.
  LossShares(const model::ModelBatch& batch, RankGroup& group);

  /// The losses as parts of those of all ranks.
  model::ModelLosses weighed(const model::ModelLosses& losses);

 private:
  RankGroup& group_;
  torch::Tensor own_;  // [2] frames, tokens
  torch::Tensor all_;  // [2]
};

}  // namespace seda::train
