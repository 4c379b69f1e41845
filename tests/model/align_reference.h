// SPDX-License-Identifier: Apache-2.0
// Alignments by trying every path, and by the plain recursion in double.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "tests/model/align_clips.h"

namespace seda::model::testing_support {

/// The greatest sum of all paths from (token, frame) to the end, each tried.
inline double best_of_all_paths(const Clips& clips, int clip, int token = 0, int frame = 0) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  if (token >= clips.tokens_of(clip)) return kNone;
  const double here = clips.at(clip, token, frame);
  if (frame == clips.frames_of(clip) - 1) return token == clips.tokens_of(clip) - 1 ? here : kNone;
  return here + std::max(best_of_all_paths(clips, clip, token, frame + 1),
                         best_of_all_paths(clips, clip, token + 1, frame + 1));
}

/// The same by the recursion over frames.
inline double best_score(const Clips& clips, int clip) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  std::vector<double> best(static_cast<size_t>(clips.tokens_of(clip)) + 1, kNone);
  best[0] = 0;
  for (int t = 0; t < clips.frames_of(clip); ++t) {
    for (size_t s = best.size() - 1; s > 0; --s)
      best[s] = std::max(best[s], best[s - 1]) + clips.at(clip, static_cast<int>(s) - 1, t);
    best[0] = kNone;
  }
  return best.back();
}

/// The sum along a path.
inline double score(const Clips& clips, int clip, const std::vector<int32_t>& durations) {
  double sum = 0;
  int frame = 0;
  for (int s = 0; s < clips.tokens_of(clip); ++s) {
    for (int i = 0; i < durations[static_cast<size_t>(s)]; ++i)
      sum += clips.at(clip, s, frame++);
  }
  return sum;
}

}  // namespace seda::model::testing_support
