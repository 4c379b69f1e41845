// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <torch/torch.h>

#include "seda/model/voice_model.h"
#include "seda/train/engine/parameter_layout.h"

namespace seda::train {

/// While it lives, and if `on`, torch checks what every operation gives backward: torch's own guard
/// without its warning that this is slow.
class AnomalyScope {
 public:
  explicit AnomalyScope(bool on);
  ~AnomalyScope();
  AnomalyScope(const AnomalyScope&) = delete;
  AnomalyScope& operator=(const AnomalyScope&) = delete;

 private:
  bool before_;
};

/// Error(check_failed) that names the first loss that is not finite. Waits for the device.
void check_losses(const model::ModelLosses& losses);

/// Error(check_failed) that names the first weight whose gradient is not finite. Waits for the
/// device.
void check_gradients(const ParameterLayout& layout, const std::vector<torch::Tensor>& gradients);

}  // namespace seda::train
