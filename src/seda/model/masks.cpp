// SPDX-License-Identifier: Apache-2.0
#include "seda/model/masks.h"

namespace seda::model {

torch::Tensor length_mask(const torch::Tensor& lengths, int64_t size) {
  const auto places = torch::arange(size, lengths.options());  // [size]
  return places.unsqueeze(0) < lengths.unsqueeze(1);
}

torch::Tensor attention_mask(const torch::Tensor& mask) {
  return mask.unsqueeze(1).unsqueeze(1);
}

}  // namespace seda::model
