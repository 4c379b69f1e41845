// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "seda/feed/open_clips.h"

namespace seda::diagnose {

/// What is known of the corpus without its words.
struct CorpusFigures {
  size_t clips = 0;
  size_t usable = 0;  ///< So are the next.
  double hours = 0;
  size_t speakers = 0;
  std::vector<std::string> languages;
  double shortest_s = 0;
  double longest_s = 0;
  std::vector<std::pair<std::string, size_t>> faults;  ///< Code and how many.
};

CorpusFigures figures_of(const feed::OpenedClips& clips);

}  // namespace seda::diagnose
