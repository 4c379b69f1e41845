// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/model/align.h"

namespace seda::model {

/// The alignment of each clip of a batch (align.h), on the CPU.
///
/// Clips are shared out among `threads` (0: `usable_cores()`). Each takes a byte of memory per
/// token and frame of its clip.
void align_cpu(const AlignInput& input, const AlignOutput& output, int threads = 1);

}  // namespace seda::model
