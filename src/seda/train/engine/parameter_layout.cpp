// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/parameter_layout.h"

#include <set>

namespace seda::train {
namespace {

constexpr int64_t kAlignment = 64;  // elements: whole cache lines in every type

/// Names of the weights that are tables of embeddings.
std::set<std::string> embedding_names(const torch::nn::Module& module) {
  std::set<std::string> names;
  for (const auto& child : module.named_modules("", /*include_self=*/false)) {
    if (child.value()->as<torch::nn::Embedding>() != nullptr) names.insert(child.key() + ".weight");
  }
  return names;
}

}  // namespace

ParameterLayout::ParameterLayout(const torch::nn::Module& module) {
  const std::set<std::string> embeddings = embedding_names(module);
  std::vector<ParameterSlot> slots;
  for (const auto& parameter : module.named_parameters()) {
    slots.push_back(
        {.name = parameter.key(),
         .shape = parameter.value().sizes().vec(),
         .size = parameter.value().numel(),
         .decays = parameter.value().dim() > 1 && !embeddings.contains(parameter.key())});
  }
  place(slots, true);
  decaying_ = size_;
  place(slots, false);
}

void ParameterLayout::place(const std::vector<ParameterSlot>& slots, bool decays) {
  for (const ParameterSlot& slot : slots) {
    if (slot.decays != decays) continue;
    slots_.push_back(slot);
    slots_.back().offset = size_;
    size_ += (slot.size + kAlignment - 1) / kAlignment * kAlignment;
  }
}

int64_t ParameterLayout::weights() const noexcept {
  int64_t count = 0;
  for (const ParameterSlot& slot : slots_)
    count += slot.size;
  return count;
}

torch::Tensor ParameterLayout::view(const torch::Tensor& flat, const ParameterSlot& slot) {
  return flat.narrow(0, slot.offset, slot.size).view(slot.shape);
}

}  // namespace seda::train
