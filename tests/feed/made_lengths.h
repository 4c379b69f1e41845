// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "seda/base/random.h"
#include "seda/feed/clip_lengths.h"

namespace seda::feed {

/// Clips whose frames are drawn evenly from [least, most], with about a third as many tokens.
inline std::vector<ClipLength> made_lengths(size_t clips, int least, int most, uint64_t seed = 1) {
  Random random(seed);
  std::vector<ClipLength> out;
  for (size_t i = 0; i < clips; ++i) {
    const double frames = std::floor(random.uniform(least, most + 1));
    const double tokens = std::ceil(frames / 3 * random.uniform(0.8, 1.2));
    out.push_back({static_cast<uint32_t>(i), static_cast<int32_t>(std::max(tokens, 1.0)),
                   static_cast<int32_t>(frames)});
  }
  return out;
}

}  // namespace seda::feed
