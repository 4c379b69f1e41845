// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "seda/model/detail/noise_task.h"

namespace seda::model::detail {

/// Fills the task's array, enqueued on the current device. The update is read when the kernel runs.
cudaError_t run_noise(const NoiseTask& task, cudaStream_t stream);

}  // namespace seda::model::detail
