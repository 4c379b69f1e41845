// SPDX-License-Identifier: Apache-2.0
#include "seda/model/weight_norm.h"

#include <array>
#include <string_view>

#include "seda/base/error.h"

namespace seda::model {
namespace {

struct Form {
  std::string_view gain;
  std::string_view direction;
};

constexpr std::array kForms = {
    Form{".weight_g", ".weight_v"},
    Form{".parametrizations.weight.original0", ".parametrizations.weight.original1"}};

const torch::Tensor& partner(const NamedTensors& tensors, const std::string& name,
                             const std::string& of) {
  const auto found = tensors.find(name);
  if (found != tensors.end()) return found->second;
  throw_error(ErrorKind::io, "weight norm: {} is there and {} is not; expected both", of, name);
}

torch::Tensor fold(const torch::Tensor& gain, const torch::Tensor& direction,
                   const std::string& name) {
  if (direction.dim() != 3 || gain.numel() != direction.size(0)) {
    throw_error(ErrorKind::io,
                "weight norm of {}: expected a gain for each row of three sides, found {} for {}",
                name, gain.numel(), direction.dim() == 0 ? 0 : direction.size(0));
  }
  const auto norm = direction.square().sum({1, 2}, /*keepdim=*/true).sqrt();
  return direction * (gain.reshape({-1, 1, 1}) / norm);
}

}  // namespace

NamedTensors fold_weight_norm(const NamedTensors& tensors) {
  NamedTensors out = tensors;
  for (const auto& [name, tensor] : tensors) {
    for (const Form& form : kForms) {
      if (name.ends_with(form.direction)) {
        const std::string module = name.substr(0, name.size() - form.direction.size());
        const std::string gain = module + std::string(form.gain);
        out[module + ".weight"] = fold(partner(tensors, gain, name), tensor, module);
        out.erase(name);
        out.erase(gain);
      } else if (name.ends_with(form.gain)) {
        const std::string module = name.substr(0, name.size() - form.gain.size());
        partner(tensors, module + std::string(form.direction), name);
      }
    }
  }
  return out;
}

}  // namespace seda::model
