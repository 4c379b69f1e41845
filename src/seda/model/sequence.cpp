// SPDX-License-Identifier: Apache-2.0
#include "seda/model/sequence.h"

#include <limits>

#include "seda/model/masks.h"

namespace seda::model {

Sequence make_sequence(const torch::Tensor& lengths, int64_t time, int64_t head_size,
                       const torch::TensorOptions& weights, const Noise* noise) {
  Sequence sequence;
  sequence.real = length_mask(lengths, time);
  sequence.keep = sequence.real.unsqueeze(2).to(weights);
  const auto seen = attention_mask(length_mask(lengths.clamp_min(1), time));
  sequence.attention = torch::zeros(seen.sizes(), weights)
                           .masked_fill_(~seen, -std::numeric_limits<double>::infinity());
  sequence.lengths = lengths.to(torch::kInt32);
  sequence.turns = rotary_table(time, head_size, weights);
  sequence.noise = noise;
  return sequence;
}

torch::Tensor real_mean(const torch::Tensor& values, const torch::Tensor& real) {
  const auto keep = real.unsqueeze(2).to(values.scalar_type());
  return (values * keep).sum() / (keep.sum() * values.size(2)).clamp_min(1);
}

}  // namespace seda::model
