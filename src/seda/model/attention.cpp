// SPDX-License-Identifier: Apache-2.0
#include "seda/model/attention.h"

#include <optional>

#include "seda/model/detail/attend.h"
#include "seda/model/linear.h"

namespace seda::model {
namespace {

constexpr int64_t kLargestHead = 128;
constexpr int64_t kHeadMultiple = 8;

/// Whether cuDNN's attention, and the kernel that turns for it, can take such queries. It is left
/// where only operations with a fixed order of additions are wanted, and where torch may not use
/// it.
bool attention_fits(const torch::Tensor& qkv, const detail::AttendOptions& options) {
  const auto& context = at::globalContext();
  const auto type = qkv.scalar_type();
  const bool shaped = type == torch::kBFloat16 && qkv.is_contiguous() && qkv.size(1) > 1 &&
                      qkv.size(4) <= kLargestHead && qkv.size(4) % kHeadMultiple == 0;
  const bool turns = !options.turns.cosine.defined() || rotary_fits(qkv, options.turns);
  const bool adds = !options.scores.defined() || options.scores.scalar_type() == type;
  return shaped && turns && adds && context.userEnabledCuDNNSDP() &&
         !context.deterministicAlgorithms();
}

}  // namespace

AttentionImpl::AttentionImpl(int64_t hidden_size, int64_t heads, const AttentionOptions& options)
    : heads_(heads),
      options_(options),
      to_qkv_(register_module("to_qkv", torch::nn::Linear(hidden_size, 3 * hidden_size))),
      to_output_(register_module("to_output", torch::nn::Linear(hidden_size, hidden_size))) {}

torch::Tensor AttentionImpl::mixed(const torch::Tensor& qkv, const Sequence& sequence) const {
  const detail::AttendOptions options = {
      .turns = options_.rotary ? sequence.turns : RotaryTable{},
      .scores = options_.masked ? sequence.attention : torch::Tensor()};
  if (sequence.fused && attention_fits(qkv, options)) return detail::attend_cuda(qkv, options);
  const auto turned = options_.rotary ? rotate(qkv, options.turns, sequence.fused) : qkv;
  const auto parts = turned.unbind(2);  // [batch, time, heads, head_size]
  const auto mask = options_.masked ? std::optional(options.scores) : std::nullopt;
  return at::scaled_dot_product_attention(parts[0].transpose(1, 2), parts[1].transpose(1, 2),
                                          parts[2].transpose(1, 2), mask)
      .transpose(1, 2);
}

torch::Tensor AttentionImpl::forward(const torch::Tensor& x, const Sequence& sequence) {
  const int64_t batch = x.size(0);
  const int64_t time = x.size(1);
  const int64_t hidden = x.size(2);
  const auto qkv =
      apply_linear(to_qkv_, x, sequence.fused).view({batch, time, 3, heads_, hidden / heads_});
  const auto places = mixed(qkv, sequence).reshape({batch, time, hidden});
  return apply_linear(to_output_, places, sequence.fused);
}

}  // namespace seda::model
