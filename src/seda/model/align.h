// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace seda::model {

/// Monotonic alignment: which token each frame of a clip belongs to.
///
/// The first frame belongs to the first token, the last to the last; from one frame to the next the
/// token stays or advances by one. Of all such paths the one with the greatest sum of
/// log-likelihoods is found: q(s, t) = x(s, t) + max(q(s, t - 1), q(s - 1, t - 1)), summed in
/// float32 from the first frame on, staying where both are equal. `align_cpu` and `AlignCuda`
/// therefore choose the same path, to the last frame.
///
/// A clip with fewer frames than tokens has no such path: its first tokens take one frame each, the
/// others none. A value that is NaN or +inf counts as -inf; of paths through -inf any may be
/// chosen. Lengths below zero or above the array's count as the nearest that fits. What lies beyond
/// a clip's lengths does not matter.
struct AlignInput {
  const float* log_likelihood = nullptr;   ///< [batch, tokens, frames]
  const int32_t* token_lengths = nullptr;  ///< [batch]
  const int32_t* frame_lengths = nullptr;  ///< [batch]
  int batch = 0;
  int tokens = 0;
  int frames = 0;
};

enum class AlignStatus : uint8_t {
  aligned = 0,
  no_path = 1,  ///< Fewer frames than tokens, or frames and no token.
};

/// Where the result goes; every element is written.
struct AlignOutput {
  int32_t* durations = nullptr;  ///< [batch, tokens] Frames of each token; zero beyond the clip's.
  uint8_t* path = nullptr;       ///< [batch, tokens, frames] One where they meet; null: not wanted.
  AlignStatus* status = nullptr;  ///< [batch]; null: not wanted.
};

}  // namespace seda::model
