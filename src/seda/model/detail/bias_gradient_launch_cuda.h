// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "seda/model/detail/bias_gradient_task.h"

namespace seda::model::detail {

/// Sums the gradient over its places, in fp32, on the current device. With `inner` the gradient is
/// first turned from that of what GELU (tanh) gave into that of what it took, where it lies.
cudaError_t run_bias_gradient(const BiasGradientTask& task, cudaStream_t stream);

}  // namespace seda::model::detail
