// SPDX-License-Identifier: Apache-2.0
#include "seda/model/rotary.h"

#include <cmath>

#include "seda/model/detail/rotary_turn.h"

namespace seda::model {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr double kBase = 10000;
constexpr int64_t kRotaryVector = 16;

torch::Tensor turned(const torch::Tensor& qkv, const torch::Tensor& cosine,
                     const torch::Tensor& sine, double sign) {
  auto result = qkv * cosine;
  const int64_t half = qkv.size(-1) / 2;
  const auto from = qkv.narrow(2, 0, 2);
  const auto to = result.narrow(2, 0, 2);
  to.narrow(-1, 0, half).addcmul_(from.narrow(-1, half, half), sine, -sign);
  to.narrow(-1, half, half).addcmul_(from.narrow(-1, 0, half), sine, sign);
  return result;
}

/// Its gradient is turned back by the same angles: three operations, where one for each step of the
/// formula would be a dozen.
struct Rotate : torch::autograd::Function<Rotate> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& qkv,
                               const torch::Tensor& cosine, const torch::Tensor& sine) {
    context->save_for_backward({cosine, sine});
    return turned(qkv, cosine, sine, 1);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    return {turned(gradients[0], saved[0], saved[1], -1), {}, {}};
  }
};

/// The same by one kernel.
torch::Tensor turned_at_once(const torch::Tensor& qkv, const RotaryTable& table, double sign) {
  const auto from = qkv.contiguous();
  auto result = torch::empty_like(from);
  detail::turn_cuda(from.unbind(2), result.unbind(2), table, sign);
  return result;
}

struct RotateAtOnce : torch::autograd::Function<RotateAtOnce> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& qkv,
                               const torch::Tensor& cosine, const torch::Tensor& sine) {
    context->set_materialize_grads(false);
    context->save_for_backward({cosine, sine});
    return turned_at_once(qkv, {.cosine = cosine, .sine = sine}, 1);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    if (!gradients[0].defined()) return {{}, {}, {}};
    const auto saved = context->get_saved_variables();
    return {turned_at_once(gradients[0], {.cosine = saved[0], .sine = saved[1]}, -1), {}, {}};
  }
};

}  // namespace

RotaryTable rotary_table(int64_t time, int64_t head_size, const torch::TensorOptions& options) {
  const auto type = options.dtype() == torch::kFloat64 ? torch::kFloat64 : torch::kFloat32;
  const auto exact = options.dtype(type);
  const int64_t half = head_size / 2;
  const auto pairs = torch::arange(half, exact);
  const auto speeds = torch::exp(pairs * (-std::log(kBase) / static_cast<double>(half)));
  const auto angles = torch::outer(torch::arange(time, exact), speeds).view({time, 1, 1, half});
  const auto cosine = angles.cos();
  const auto turned = torch::cat({cosine, cosine}, -1);  // [time, 1, 1, head_size]
  return {torch::cat({turned, turned, torch::ones_like(turned)}, 1).to(options),
          angles.sin().to(options)};
}

bool rotary_fits(const torch::Tensor& qkv, const RotaryTable& table) {
  const auto type = qkv.scalar_type();
  const bool typed = type == torch::kBFloat16 || type == torch::kFloat32;
  return typed && table.cosine.scalar_type() == type &&
         qkv.size(-1) * qkv.element_size() % (2 * kRotaryVector) == 0;
}

torch::Tensor rotate(const torch::Tensor& qkv, const RotaryTable& table, bool fused) {
  if (fused && rotary_fits(qkv, table)) {
    return RotateAtOnce::apply(qkv, table.cosine, table.sine);
  }
  return Rotate::apply(qkv, table.cosine, table.sine);
}

}  // namespace seda::model
