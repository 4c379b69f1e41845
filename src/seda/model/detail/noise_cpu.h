// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/model/detail/noise_task.h"

namespace seda::model::detail {

/// Fills rows [begin, end) of the task's array.
void fill_noise_cpu(const NoiseTask& task, int64_t begin, int64_t end);

}  // namespace seda::model::detail
