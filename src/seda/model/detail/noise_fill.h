// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/model/detail/noise_task.h"

namespace seda::model::detail {

/// Fills the task's array, of GPU `index`, on torch's current stream there. Error(unavailable) in a
/// build without CUDA.
void fill_noise_cuda(const NoiseTask& task, int index);

}  // namespace seda::model::detail
