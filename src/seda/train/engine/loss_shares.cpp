// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/loss_shares.h"

namespace seda::train {

LossShares::LossShares(const model::ModelBatch& batch, RankGroup& group)
    : group_(group),
      own_(torch::stack({batch.mel_lengths.sum(), batch.token_lengths.sum()}).to(torch::kFloat32)),
      all_(own_.clone()) {
  group_.start_sum(all_);
}

model::ModelLosses LossShares::weighed(const model::ModelLosses& losses) {
  group_.finish();
  const auto shares = own_ / all_;
  model::ModelLosses parts = losses;
  parts.prior = losses.prior * shares[0];
  parts.duration = losses.duration * shares[1];
  parts.flow = losses.flow * shares[0];
  parts.total = parts.prior + parts.duration + parts.flow;
  return parts;
}

}  // namespace seda::train
