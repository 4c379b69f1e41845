// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "seda/model/detail/norm_task.h"

namespace seda::model::detail {

/// Sum and norm of every place, statistics in fp32 of the sum as it is written, enqueued on the
/// current device. `three` writes (out(t - 1), out(t), out(t + 1)) at place t, with zeros for
/// places outside the array or beyond the row's length.
cudaError_t run_norm(const NormTask& task, cudaStream_t stream);

/// Its gradients: a kernel over places and one that sums what that left of each tile.
cudaError_t run_norm_backward(const NormBackwardTask& task, cudaStream_t stream);

}  // namespace seda::model::detail
