// SPDX-License-Identifier: Apache-2.0
#include "seda/train/loss_mean.h"

#include <algorithm>

namespace seda::train {

void LossMean::add(const StepLosses& losses, double weight) {
  total_ += weight * losses.total;
  prior_ += weight * losses.prior;
  duration_ += weight * losses.duration;
  flow_ += weight * losses.flow;
  weight_ += weight;
  largest_norm_ = std::max(largest_norm_, losses.gradient_norm);
  finite_ = finite_ && losses.finite;
}

StepLosses LossMean::value() const {
  const double share = weight_ > 0 ? 1 / weight_ : 0;
  return {.total = static_cast<float>(share * total_),
          .prior = static_cast<float>(share * prior_),
          .duration = static_cast<float>(share * duration_),
          .flow = static_cast<float>(share * flow_),
          .gradient_norm = largest_norm_,
          .finite = finite_};
}

}  // namespace seda::train
