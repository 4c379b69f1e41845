// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/detail/mel_segments.h"

#include <algorithm>
#include <utility>

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

MelSegments::Range range_of(const MelSegments& segments, int segment) {
  if (segment >= static_cast<int>(segments.ranges.size())) return {};
  return segments.ranges[static_cast<size_t>(segment)];
}

/// Even, and such that `pairs` from there on cover the segment and no bin that nobody needs.
int first_bin(const MelSegments& segments, int segment, int pairs) {
  const int last = (segments.bins() + 1) / 2 * 2 - 2 * pairs;
  return std::min(range_of(segments, segment).begin / 2 * 2, last);
}

/// Costs, the largest first, dealt to `hands` to and fro, so that no hand gets much more than
/// another.
std::vector<int> dealt(std::vector<int> order, int hands) {
  for (auto round = order.begin(); round != order.end();) {
    const auto end = round + std::min<std::ptrdiff_t>(hands, order.end() - round);
    const bool to = (round - order.begin()) / hands % 2 == 1;
    if (!to) std::reverse(round, end);
    round = end;
  }
  return order;
}

/// Weights of a segment's pair of bins; zero outside its range.
MelGroups::PairWeights pair_weights(const MelSegments& segments, int segment, int bin) {
  MelGroups::PairWeights out;
  const auto [begin, end] = range_of(segments, segment);
  if (bin >= begin && bin < end) out.even = segments.weights[static_cast<size_t>(bin)];
  if (bin + 1 >= begin && bin + 1 < end) out.odd = segments.weights[static_cast<size_t>(bin) + 1];
  return out;
}

int longest(const MelSegments& segments, int first) {
  int pairs = 0;
  for (int i = 0; i < MelGroups::kSegments; ++i) {
    const auto [begin, end] = range_of(segments, first + i);
    pairs = std::max(pairs, (end - begin / 2 * 2 + 1) / 2);
  }
  return pairs;
}

}  // namespace

MelGroups mel_groups(const MelSegments& segments, int warps) {
  const int n_mels = static_cast<int>(segments.ranges.size()) - 1;
  std::vector<int> order;
  for (int band = 0; band < n_mels; band += MelGroups::kBands)
    order.push_back(band);
  std::ranges::sort(order, {}, [&](int band) { return std::pair(-longest(segments, band), band); });
  MelGroups out;
  int rows = 0;
  for (const int band : dealt(std::move(order), warps)) {
    const int pairs = longest(segments, band);
    out.groups.push_back({band, rows * MelGroups::kSegments, pairs, 0});
    for (int i = 0; i < MelGroups::kSegments; ++i)
      out.first_bins.push_back(first_bin(segments, band + i, pairs));
    for (int pair = 0; pair < pairs; ++pair) {
      for (int i = 0; i < MelGroups::kSegments; ++i) {
        const int bin = first_bin(segments, band + i, pairs) + 2 * pair;
        out.weights.push_back(pair_weights(segments, band + i, bin));
      }
    }
    rows += pairs;
  }
  return out;
}

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
