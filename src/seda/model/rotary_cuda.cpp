// SPDX-License-Identifier: Apache-2.0
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "seda/base/error.h"
#include "seda/device/check_cuda.h"
#include "seda/model/detail/rotary_launch_cuda.h"
#include "seda/model/detail/rotary_turn.h"

namespace seda::model::detail {
namespace {

/// The kernel reads whole vectors.
void check_rotary_vectors(const torch::Tensor& part) {
  const auto bytes = part.element_size();
  bool whole = reinterpret_cast<uintptr_t>(part.const_data_ptr()) % kRotaryVectorBytes == 0;
  for (int64_t i = 0; i + 1 < part.dim(); ++i)
    whole = whole && part.stride(i) * bytes % kRotaryVectorBytes == 0;
  if (whole && part.stride(-1) == 1) return;
  throw_error(ErrorKind::internal, "rotary: expected channels in whole vectors of {} bytes",
              kRotaryVectorBytes);
}

RotaryStrides rotary_strides(const torch::Tensor& part) {
  check_rotary_vectors(part);
  return {.batch = part.stride(0), .time = part.stride(1), .head = part.stride(2)};
}

RotaryPart rotary_part(const torch::Tensor& from, const torch::Tensor& to) {
  return {.from = from.const_data_ptr(),
          .from_strides = rotary_strides(from),
          .to = to.mutable_data_ptr(),
          .to_strides = rotary_strides(to)};
}

void set_rotary_table(RotaryTask& task, const RotaryTable& table) {
  check_rotary_vectors(table.cosine);
  check_rotary_vectors(table.sine);
  task.cosine = table.cosine.const_data_ptr();
  task.cosine_stride = table.cosine.stride(0);
  task.sine = table.sine.const_data_ptr();
  task.sine_stride = table.sine.stride(0);
}

}  // namespace

void turn_cuda(const RotaryTensors& from, const RotaryTensors& to, const RotaryTable& table,
               double sign) {
  const torch::Tensor& queries = from[0];
  RotaryTask task{};
  task.part_count = static_cast<int>(from.size());
  for (size_t i = 0; i < from.size(); ++i)
    task.parts[i] = rotary_part(from[i], to[i]);
  set_rotary_table(task, table);
  task.sign = static_cast<float>(sign);
  task.batch = static_cast<int>(queries.size(0));
  task.time = static_cast<int>(queries.size(1));
  task.heads = static_cast<int>(queries.size(2));
  task.head_size = static_cast<int>(queries.size(3));
  task.bf16 = queries.scalar_type() == torch::kBFloat16;
  const c10::DeviceIndex device = queries.get_device();
  const c10::cuda::CUDAGuard guard(device);
  device::check_cuda(run_rotary(task, c10::cuda::getCurrentCUDAStream(device).stream()),
                     "rotary kernel", device);
}

}  // namespace seda::model::detail
