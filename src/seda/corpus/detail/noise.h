// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace seda::corpus::detail {

/// Starts what `rand()` returns in the calling thread anew.
///
/// Some of espeak-ng's voices breathe with libc's `rand()`, one sequence for the whole process, so
/// that what they say would depend on other threads. Programs that link this module define `rand()`
/// themselves: a sequence for each thread, which `srand()` does not touch
/// (docs/decisions/corpus.md).
void seed_noise(uint64_t seed);

}  // namespace seda::corpus::detail
