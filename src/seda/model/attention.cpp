// SPDX-License-Identifier: Apache-2.0
#include "seda/model/attention.h"

#include "seda/model/linear.h"

namespace seda::model {

AttentionImpl::AttentionImpl(int64_t hidden_size, int64_t heads)
    : heads_(heads),
      to_qkv_(register_module("to_qkv", torch::nn::Linear(hidden_size, 3 * hidden_size))),
      to_output_(register_module("to_output", torch::nn::Linear(hidden_size, hidden_size))) {}

torch::Tensor AttentionImpl::forward(const torch::Tensor& x, const Sequence& sequence) {
  const int64_t batch = x.size(0);
  const int64_t time = x.size(1);
  const int64_t hidden = x.size(2);
  const auto qkv = apply_linear(to_qkv_, x).view({batch, time, 3, heads_, hidden / heads_});
  const auto parts = rotate(qkv, sequence.turns).unbind(2);  // [batch, time, heads, head_size]
  const auto mixed =
      at::scaled_dot_product_attention(parts[0].transpose(1, 2), parts[1].transpose(1, 2),
                                       parts[2].transpose(1, 2), sequence.attention);
  return apply_linear(to_output_, mixed.transpose(1, 2).reshape({batch, time, hidden}));
}

}  // namespace seda::model
