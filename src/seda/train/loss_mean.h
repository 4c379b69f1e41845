// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/train/step_losses.h"

namespace seda::train {

/// The mean of losses by weight; of gradient norms the largest. Of none all is 0.
class LossMean {
 public:
  void add(const StepLosses& losses, double weight);
  StepLosses value() const;

 private:
  double total_ = 0;
  double prior_ = 0;
  double duration_ = 0;
  double flow_ = 0;
  double weight_ = 0;
  float largest_norm_ = 0;
  bool finite_ = true;
};

}  // namespace seda::train
