// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <torch/torch.h>

namespace seda::model::detail {

/// Whether its memory begins where 16 bytes may be loaded at once.
inline bool begins_aligned(const torch::Tensor& tensor) {
  return reinterpret_cast<uintptr_t>(tensor.const_data_ptr()) % 16 == 0;
}

/// The tensor itself where a kernel can read it as one array by 16 bytes, else a copy.
inline torch::Tensor as_array(const torch::Tensor& tensor) {
  const auto array = tensor.contiguous();
  return begins_aligned(array) ? array : array.clone();
}

}  // namespace seda::model::detail
