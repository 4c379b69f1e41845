// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "seda/train/detail/update_task.h"

namespace seda::train::detail {

/// Norm, clipping, AdamW, average and the copy in bf16, enqueued on the current device as three
/// kernels. Scalars are read when they run. The sums have a fixed order.
/// cudaErrorMisalignedAddress where an array is not aligned.
cudaError_t run_update(const UpdateTask& task, cudaStream_t stream);

}  // namespace seda::train::detail
