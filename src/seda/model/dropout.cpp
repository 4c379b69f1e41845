// SPDX-License-Identifier: Apache-2.0
#include "seda/model/dropout.h"

namespace seda::model {

torch::Tensor dropout(const torch::Tensor& x, const DropoutOptions& options, const Noise* noise) {
  if (noise == nullptr || options.rate == 0) return x;
  return x * noise->keep(x.sizes(), 1 - options.rate, options.site).to(x.scalar_type());
}

}  // namespace seda::model
