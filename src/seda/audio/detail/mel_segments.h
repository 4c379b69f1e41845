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

/// Segments in the order in which the warps of a block sum them: eight neighbours at a time, which
/// give seven bands. Ranges are widened with zero weights to begin at an even bin and to be equally
/// long within a group.
struct MelGroups {
  static constexpr int kSegments = 8;
  static constexpr int kBands = kSegments - 1;

  struct Group {
    int first_band = 0;
    int weights = 0;  ///< Where its weights begin, in pairs of pairs.
    int pairs = 0;    ///< Pairs of bins in each of its segments.
    int reserved = 0;
  };
  struct PairWeights {
    MelSegments::Weight even;
    MelSegments::Weight odd;
  };

  std::vector<Group> groups;         ///< Costly and cheap ones dealt in turn to `warps` warps.
  std::vector<int> first_bins;       ///< [groups, kSegments]
  std::vector<PairWeights> weights;  ///< [pairs of all groups, kSegments]
};

MelGroups mel_groups(const MelSegments& segments, int warps);

}  // namespace seda::audio::detail
