// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace seda::bench {

/// Runs `rounds` of independent fused multiply-adds on full vectors of the chosen instruction set;
/// returns how many operations that were, two for each lane and instruction. The peak of a core.
double run_fused_operations(size_t rounds);

}  // namespace seda::bench
