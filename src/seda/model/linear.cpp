// SPDX-License-Identifier: Apache-2.0
#include "seda/model/linear.h"

namespace seda::model {

torch::Tensor apply_linear(torch::nn::Linear& linear, const torch::Tensor& x) {
  const auto places = linear->forward(x.reshape({-1, x.size(2)}));
  return places.view({x.size(0), x.size(1), places.size(1)});
}

}  // namespace seda::model
