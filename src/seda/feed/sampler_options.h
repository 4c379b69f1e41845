// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace seda::feed {

/// In what order clips are fed.
struct SamplerOptions {
  uint64_t seed = 0;
  int rank = 0;
  int ranks = 1;
  bool shuffle = true;     ///< Off, for validation: clips in their own order, short buckets first.
  bool drop_last = false;  ///< Leave out the clips that fill no batch, instead of repeating others.

  bool operator==(const SamplerOptions&) const = default;
};

}  // namespace seda::feed
