// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "seda/feed/clip_source.h"

namespace seda::train {

/// Mean and deviation of log-mel values.
struct MelStatistics {
  float mean = 0;
  float deviation = 1;
};

/// Of at most `clips` training clips, spread evenly over the corpus: the same for the same corpus.
/// Bad clips are passed over; none that is good is an Error(check_failed).
MelStatistics measure_mels(const feed::ClipSource& source, size_t clips = 64);

}  // namespace seda::train
