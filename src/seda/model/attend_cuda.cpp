// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <optional>
#include <tuple>

#include "seda/model/detail/attend.h"
#include "seda/model/detail/rotary_turn.h"

namespace seda::model::detail {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kMaskMultiple = 8;

/// Rows of the mask begin on whole vectors: cuDNN may read several keys at once.
torch::Tensor in_whole_vectors(const torch::Tensor& scores) {
  if (!scores.defined()) return {};
  const int64_t time = scores.size(3);
  const int64_t beyond = (kMaskMultiple - time % kMaskMultiple) % kMaskMultiple;
  if (beyond == 0) return scores.contiguous();
  constexpr double kUnseen = -std::numeric_limits<double>::infinity();
  return torch::constant_pad_nd(scores, {0, beyond}, kUnseen).narrow(3, 0, time);
}

/// As cuDNN takes them, and back. What it makes lies densely, its dimensions in the order of memory
/// of what it is like.  // [batch, time, heads, head_size] ↔ [batch, heads, time, head_size]
torch::Tensor heads_first(const torch::Tensor& part) {
  return part.transpose(1, 2);
}

/// Queries and keys turned, in an array of their own; values where they lie.
RotaryTensors turned_parts(const torch::Tensor& qkv, const RotaryTable& turns) {
  auto parts = qkv.unbind(2);
  if (!turns.cosine.defined()) return parts;
  const auto turned = torch::empty_like(qkv.narrow(2, 0, 2)).unbind(2);
  turn_cuda({parts[0], parts[1]}, turned, turns, 1);
  return {turned[0], turned[1], parts[2]};
}

/// Of qkv, from those of its parts as attention saw them.
torch::Tensor joined_gradient(const RotaryTensors& parts, const RotaryTable& turns) {
  if (!turns.cosine.defined()) return torch::stack(parts, 2);
  const torch::Tensor& first = parts[0];
  auto result = torch::empty({first.size(0), first.size(1), 3, first.size(2), first.size(3)},
                             first.options());
  turn_cuda(parts, result.unbind(2), turns, -1);
  return result;
}

struct Attend : torch::autograd::Function<Attend> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& qkv,
                               const AttendOptions& options) {
    const RotaryTensors parts = turned_parts(qkv, options.turns);
    const auto query = heads_first(parts[0]);
    const auto key = heads_first(parts[1]);
    const auto value = heads_first(parts[2]);
    const auto mask = in_whole_vectors(options.scores);
    const auto result = at::_scaled_dot_product_cudnn_attention(
        query, key, value, mask.defined() ? std::optional(mask) : std::nullopt,
        /*compute_log_sumexp=*/qkv.requires_grad());
    const auto& mixed = std::get<0>(result);
    context->set_materialize_grads(false);
    context->save_for_backward({query, key, value, mixed, std::get<1>(result), std::get<6>(result),
                                std::get<7>(result), mask, options.turns.cosine,
                                options.turns.sine});
    return heads_first(mixed);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    if (!gradients[0].defined()) return {{}, {}};
    const auto saved = context->get_saved_variables();
    const auto& query = saved[0];
    // Without dropout nothing is drawn, and rows are not packed: there are no sums of lengths.
    const auto [of_query, of_key, of_value] = at::_scaled_dot_product_cudnn_attention_backward(
        heads_first(gradients[0].contiguous()), query, saved[1], saved[2], saved[3], saved[4],
        saved[5], saved[6], saved[7], /*cum_seq_q=*/{}, /*cum_seq_k=*/{}, query.size(2),
        saved[1].size(2), /*dropout_p=*/0, /*is_causal=*/false);
    const RotaryTensors parts = {heads_first(of_query), heads_first(of_key), heads_first(of_value)};
    return {joined_gradient(parts, {.cosine = saved[8], .sine = saved[9]}), {}};
  }
};

}  // namespace

torch::Tensor attend_cuda(const torch::Tensor& qkv, const AttendOptions& options) {
  return Attend::apply(qkv, options);
}

}  // namespace seda::model::detail
