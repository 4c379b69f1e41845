// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/detail/mel_segments.h"

#include <algorithm>

namespace seda::audio::detail {
namespace {

/// The bands over one bin: at most two, neighbours.
struct Cover {
  int first = -1;
  int last = -1;
  double first_weight = 0;
  double last_weight = 0;
};

std::vector<Cover> covers(const std::vector<MelBand>& bands) {
  std::vector<Cover> out;
  for (size_t b = 0; b < bands.size(); ++b) {
    for (size_t i = 0; i < bands[b].weights.size(); ++i) {
      const size_t bin = static_cast<size_t>(bands[b].first) + i;
      if (bin >= out.size()) out.resize(bin + 1);
      Cover& cover = out[bin];
      if (cover.first < 0) {
        cover.first = static_cast<int>(b);
        cover.first_weight = bands[b].weights[i];
      }
      cover.last = static_cast<int>(b);
      cover.last_weight = bands[b].weights[i];
    }
  }
  return out;
}

}  // namespace

MelSegments mel_segments(const std::vector<MelBand>& bands) {
  const int n_mels = static_cast<int>(bands.size());
  const std::vector<Cover> cover = covers(bands);
  MelSegments out;
  out.ranges.resize(bands.size() + 1);
  out.weights.resize(cover.size());
  for (size_t bin = 0; bin < cover.size(); ++bin) {
    const Cover& c = cover[bin];
    if (c.first < 0) continue;
    const bool alone = c.first == c.last;
    const bool beyond = alone && n_mels > 1 && c.last == n_mels - 1;  // the last band only falls
    const int segment = beyond ? n_mels : c.last;
    if (!beyond) out.weights[bin].rising = static_cast<float>(c.last_weight);
    if (!alone || beyond) out.weights[bin].falling = static_cast<float>(c.first_weight);
    MelSegments::Range& range = out.ranges[static_cast<size_t>(segment)];
    if (range.end == 0) range.begin = static_cast<int>(bin);
    range.end = static_cast<int>(bin) + 1;
  }
  return out;
}

}  // namespace seda::audio::detail
