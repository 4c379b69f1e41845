// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/detail/mel_segments.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace seda::audio::detail {
namespace {

/// Weights of every band, as the segments give them back.
std::vector<std::vector<float>> assembled(const MelSegments& segments, size_t n_mels, size_t bins) {
  std::vector<std::vector<float>> bands(n_mels, std::vector<float>(bins));
  for (size_t s = 0; s < segments.ranges.size(); ++s) {
    const auto [begin, end] = segments.ranges[s];
    for (auto bin = static_cast<size_t>(begin); bin < static_cast<size_t>(end); ++bin) {
      if (s < n_mels) bands[s][bin] += segments.weights[bin].rising;
      if (s > 0) bands[s - 1][bin] += segments.weights[bin].falling;
    }
  }
  return bands;
}

TEST(MelSegments, GiveTheFilterbankBack) {
  for (const int n_mels : {1, 2, 3, 80, 128, 512}) {
    for (const int n_fft : {30, 250, 1024, 2048}) {
      for (const auto bank : {Filterbank::slaney, Filterbank::htk}) {
        MelOptions options = mel_preset("fullband");
        options.n_mels = n_mels;
        options.n_fft = n_fft;
        options.filterbank = bank;
        const auto bands = mel_bands(options);
        const MelSegments segments = mel_segments(bands);
        ASSERT_EQ(segments.ranges.size(), bands.size() + 1);
        const auto got = assembled(segments, bands.size(), static_cast<size_t>(n_fft));
        for (size_t b = 0; b < bands.size(); ++b) {
          std::vector<float> want(static_cast<size_t>(n_fft));
          for (size_t i = 0; i < bands[b].weights.size(); ++i)
            want[static_cast<size_t>(bands[b].first) + i] = static_cast<float>(bands[b].weights[i]);
          ASSERT_EQ(got[b], want) << n_mels << " bands of " << n_fft << ", band " << b;
        }
      }
    }
  }
}

/// Weights of every band, as the groups give them back.
std::vector<std::vector<float>> assembled(const MelGroups& groups, size_t n_mels, size_t bins) {
  std::vector<std::vector<float>> bands(n_mels, std::vector<float>(bins));
  for (size_t g = 0; g < groups.groups.size(); ++g) {
    const auto& group = groups.groups[g];
    for (size_t i = 0; i < MelGroups::kSegments; ++i) {
      const auto band = static_cast<size_t>(group.first_band) + i;
      const auto first = static_cast<size_t>(groups.first_bins[g * MelGroups::kSegments + i]);
      for (size_t pair = 0; pair < static_cast<size_t>(group.pairs); ++pair) {
        const auto& weight =
            groups.weights[static_cast<size_t>(group.weights) + pair * MelGroups::kSegments + i];
        const size_t bin = first + 2 * pair;
        EXPECT_EQ(bin % 2, 0U);
        EXPECT_LT(bin + 1, bins);
        if (i < MelGroups::kBands && band < n_mels) {
          bands[band][bin] += weight.even.rising;
          bands[band][bin + 1] += weight.odd.rising;
        }
        if (i > 0 && band <= n_mels) {
          bands[band - 1][bin] += weight.even.falling;
          bands[band - 1][bin + 1] += weight.odd.falling;
        }
      }
    }
  }
  return bands;
}

TEST(MelGroups, GiveTheFilterbankBackAndReadNoBinThatNobodyNeeds) {
  for (const int n_mels : {1, 2, 7, 8, 80, 128, 512}) {
    MelOptions options = mel_preset("fullband");
    options.n_mels = n_mels;
    const auto bands = mel_bands(options);
    const MelSegments segments = mel_segments(bands);
    const auto bins = static_cast<size_t>(segments.bins() + 1) / 2 * 2;
    const auto got = assembled(mel_groups(segments, 8), bands.size(), bins);
    for (size_t b = 0; b < bands.size(); ++b) {
      std::vector<float> want(bins);
      for (size_t i = 0; i < bands[b].weights.size(); ++i)
        want[static_cast<size_t>(bands[b].first) + i] = static_cast<float>(bands[b].weights[i]);
      ASSERT_EQ(got[b], want) << n_mels << " bands, band " << b;
    }
  }
}

TEST(MelGroups, DealTheCostOutEvenly) {
  constexpr size_t kWarps = 8;
  const MelGroups groups = mel_groups(mel_segments(mel_bands(MelOptions{})), kWarps);
  ASSERT_EQ(groups.groups.size(), 12U);
  std::vector<int> cost(kWarps);
  int largest = 0;
  for (size_t i = 0; i < groups.groups.size(); ++i) {
    cost[i % kWarps] += groups.groups[i].pairs;
    largest = std::max(largest, groups.groups[i].pairs);
  }
  EXPECT_LE(*std::ranges::max_element(cost), largest + 1);
}

TEST(MelSegments, NeedNoBinAboveTheHighestBand) {
  const MelSegments segments = mel_segments(mel_bands(MelOptions{}));
  EXPECT_EQ(segments.bins(), 372);  // 8 kHz lie between bins 371 and 372
}

}  // namespace
}  // namespace seda::audio::detail
