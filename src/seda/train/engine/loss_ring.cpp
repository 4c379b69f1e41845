// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/loss_ring.h"

namespace seda::train {
namespace {

float at(const float* row, LossColumn column) {
  return row[static_cast<int64_t>(column)];
}

}  // namespace

StepLosses losses_of(const float* row) {
  return {.total = at(row, LossColumn::total),
          .prior = at(row, LossColumn::prior),
          .duration = at(row, LossColumn::duration),
          .flow = at(row, LossColumn::flow),
          .gradient_norm = at(row, LossColumn::gradient_norm),
          .finite = at(row, LossColumn::latched) == 0};
}

std::vector<StepLosses> LossRing::take(size_t pending) {
  const std::vector<float> values = rows_.take(pending);
  std::vector<StepLosses> losses;
  losses.reserve(values.size() / kLossColumns);
  for (size_t i = 0; i < values.size(); i += kLossColumns)
    losses.push_back(losses_of(values.data() + i));
  return losses;
}

}  // namespace seda::train
