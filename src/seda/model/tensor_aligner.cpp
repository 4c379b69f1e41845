// SPDX-License-Identifier: Apache-2.0
#include "seda/model/tensor_aligner.h"

#include <ATen/Parallel.h>

#include "seda/model/align_cpu.h"
#include "seda/model/detail/align_torch.h"

namespace seda::model {

TensorAligner::TensorAligner() = default;
TensorAligner::~TensorAligner() = default;

torch::Tensor TensorAligner::apply(const torch::Tensor& log_likelihood,
                                   const torch::Tensor& token_lengths,
                                   const torch::Tensor& frame_lengths) {
  const auto values = log_likelihood.contiguous();
  const auto tokens = token_lengths.to(torch::kInt32).contiguous();
  const auto frames = frame_lengths.to(torch::kInt32).contiguous();
  auto durations = torch::empty({values.size(0), values.size(1)}, tokens.options());
  const AlignInput input{.log_likelihood = values.const_data_ptr<float>(),
                         .token_lengths = tokens.const_data_ptr<int32_t>(),
                         .frame_lengths = frames.const_data_ptr<int32_t>(),
                         .batch = static_cast<int>(values.size(0)),
                         .tokens = static_cast<int>(values.size(1)),
                         .frames = static_cast<int>(values.size(2))};
  const AlignOutput output{.durations = durations.data_ptr<int32_t>()};
  if (values.is_cuda()) {
    if (cuda_ == nullptr) cuda_ = device::make_cuda_backend();
    detail::align_torch_cuda(input, output, *cuda_, values.get_device());
  } else {
    align_cpu(input, output, at::get_num_threads());
  }
  return durations;
}

}  // namespace seda::model
