// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/check_finite.h"

#include <string_view>

#include "seda/base/error.h"

namespace seda::train {
namespace {

bool all_finite(const torch::Tensor& tensor) {
  return torch::isfinite(tensor.detach()).all().item<bool>();
}

void check_loss(std::string_view name, const torch::Tensor& loss) {
  if (all_finite(loss)) return;
  throw_error(ErrorKind::check_failed, "loss '{}': expected a finite number, found {}", name,
              loss.item<float>());
}

}  // namespace

AnomalyScope::AnomalyScope(bool on) : before_(torch::autograd::AnomalyMode::is_enabled()) {
  if (on) torch::autograd::AnomalyMode::set_enabled(true);
}

AnomalyScope::~AnomalyScope() {
  torch::autograd::AnomalyMode::set_enabled(before_);
}

void check_losses(const model::ModelLosses& losses) {
  check_loss("prior", losses.prior);
  check_loss("duration", losses.duration);
  check_loss("flow", losses.flow);
  check_loss("total", losses.total);
}

void check_gradients(const ParameterLayout& layout, const std::vector<torch::Tensor>& gradients) {
  for (size_t i = 0; i < gradients.size(); ++i) {
    if (!gradients[i].defined() || all_finite(gradients[i])) continue;
    throw_error(ErrorKind::check_failed, "gradient of '{}': expected finite numbers, found others",
                layout.slots()[i].name);
  }
}

}  // namespace seda::train
