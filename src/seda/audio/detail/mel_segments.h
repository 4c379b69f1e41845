// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "seda/audio/mel_tables.h"

namespace seda::audio::detail {

/// A filterbank cut at its band edges. Between two edges one band rises and the one before falls,
/// so that each bin is read once for both:
///
///     band[b] = sum over segment b of rising · x + sum over segment b + 1 of falling · x
struct MelSegments {
  struct Range {
    int begin = 0;
    int end = 0;
  };
  struct Weight {
    float rising = 0;
    float falling = 0;
  };

  std::vector<Range> ranges;    ///< [n_mels + 1] Bins of each segment; may be empty.
  std::vector<Weight> weights;  ///< [bins] Of each bin.

  int bins() const { return static_cast<int>(weights.size()); }  ///< That any band needs.
};

MelSegments mel_segments(const std::vector<MelBand>& bands);

}  // namespace seda::audio::detail
