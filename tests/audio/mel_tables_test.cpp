// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/mel_tables.h"

#include <numeric>

#include <gtest/gtest.h>

#include "tests/audio/mel_reference.h"

namespace seda::audio {
namespace {

using testing_support::band_weight;
using testing_support::window_value;

double weight_at(const MelBand& band, int bin) {
  const int inside = bin - band.first;
  const bool covered = inside >= 0 && inside < static_cast<int>(band.weights.size());
  return covered ? band.weights[static_cast<size_t>(inside)] : 0;
}

TEST(MelTables, BandsEqualTheFormula) {
  for (const Filterbank filterbank : {Filterbank::slaney, Filterbank::htk}) {
    for (const auto& [n_fft, n_mels] : {std::pair{1024, 80}, {400, 23}, {2048, 128}, {256, 80}}) {
      MelOptions options;
      options.filterbank = filterbank;
      options.n_fft = n_fft;
      options.n_mels = n_mels;
      options.fmin = 55.5;
      options.fmax = 9000;
      const auto bands = mel_bands(options);
      ASSERT_EQ(bands.size(), static_cast<size_t>(n_mels));
      for (int band = 0; band < n_mels; ++band) {
        for (int bin = 0; bin <= n_fft / 2; ++bin) {
          ASSERT_NEAR(weight_at(bands[static_cast<size_t>(band)], bin),
                      band_weight(options, band, bin), 1e-12)
              << band << " " << bin;
        }
      }
    }
  }
}

TEST(MelTables, SlaneyBandsHaveEqualArea) {
  MelOptions options;
  options.n_fft = 16384;
  for (const MelBand& band : mel_bands(options)) {
    const double sum = std::accumulate(band.weights.begin(), band.weights.end(), 0.0);
    EXPECT_NEAR(sum * options.sample_rate / options.n_fft, 1, 0.01);
  }
}

TEST(MelTables, BandNarrowerThanABinIsEmpty) {
  MelOptions options;
  options.n_fft = 64;
  options.n_mels = 80;
  size_t empty = 0;
  for (const MelBand& band : mel_bands(options))
    empty += band.weights.empty() ? 1 : 0;
  EXPECT_GT(empty, 20U);
}

TEST(MelTables, WindowStandsInTheMiddle) {
  for (const auto& [n_fft, win] : {std::pair{1024, 1024}, {2048, 1100}, {30, 21}, {16, 2}}) {
    MelOptions options;
    options.n_fft = n_fft;
    options.win_length = win;
    const auto window = mel_window(options);
    ASSERT_EQ(window.size(), static_cast<size_t>(n_fft));
    for (int i = 0; i < n_fft; ++i)
      ASSERT_NEAR(window[static_cast<size_t>(i)], window_value(options, i), 1e-15);
  }
}

}  // namespace
}  // namespace seda::audio
