// SPDX-License-Identifier: Apache-2.0
#include "seda/model/feed_forward.h"

#include "seda/model/linear.h"

namespace seda::model {
namespace {

constexpr int64_t kKernel = 3;

}  // namespace

FeedForwardImpl::FeedForwardImpl(int64_t hidden_size, int64_t inner_size)
    : widen_(register_module("widen", TimeConv(hidden_size, inner_size, kKernel))),
      narrow_(register_module("narrow", torch::nn::Linear(inner_size, hidden_size))) {}

torch::Tensor FeedForwardImpl::forward(const torch::Tensor& x, const Sequence& sequence) {
  return forward_of_three(real_neighbours(x, kKernel, sequence), sequence);
}

torch::Tensor FeedForwardImpl::forward_of_three(const torch::Tensor& places,
                                                const Sequence& sequence) {
  return apply_gelu_pair(widen_->product(), narrow_, places, sequence.fused);
}

}  // namespace seda::model
