// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/mel_inverse.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/audio/mel_tables.h"
#include "tests/audio/clip.h"
#include "tests/audio/mel_reference.h"

namespace seda::audio {
namespace {

using testing_support::band_weight;

/// Filterbank times its pseudo-inverse.
double product(const MelOptions& o, const std::vector<float>& matrix, int row, int column) {
  double sum = 0;
  for (int bin = 0; bin <= o.n_fft / 2; ++bin) {
    const size_t at = static_cast<size_t>(bin) * static_cast<size_t>(o.n_mels);
    sum += band_weight(o, row, bin) * matrix[at + static_cast<size_t>(column)];
  }
  return sum;
}

TEST(MelInverse, FilterbankTimesItsInverseIsOne) {
  for (const Filterbank filterbank : {Filterbank::slaney, Filterbank::htk}) {
    MelOptions options;
    options.filterbank = filterbank;
    options.n_mels = 40;
    const auto matrix = mel_inverse_matrix(options);
    ASSERT_EQ(matrix.size(), 513U * 40U);
    for (int row = 0; row < 40; ++row) {
      for (int column = 0; column < 40; ++column)
        ASSERT_NEAR(product(options, matrix, row, column), row == column ? 1 : 0, 1e-3);
    }
  }
}

TEST(MelInverse, BandsWithoutBinsDoNoHarm) {
  MelOptions options;
  options.n_fft = 64;
  options.win_length = 64;
  options.hop_length = 16;
  for (const float value : mel_inverse_matrix(options))
    ASSERT_TRUE(std::isfinite(value));
}

/// Bands of given magnitudes, then back, then bands again.
TEST(MelInverse, MagnitudesGiveTheBandsBack) {
  for (const double power : {1.0, 2.0, 1.5}) {
    for (const Compression compression : {Compression::log, Compression::log10}) {
      MelOptions options;
      options.n_mels = 40;
      options.power = power;
      options.compression = compression;
      const auto bands = mel_bands(options);
      const size_t frames = 5;
      std::vector<float> mel(bands.size() * frames);
      for (size_t b = 0; b < bands.size(); ++b) {
        for (size_t t = 0; t < frames; ++t)
          mel[b * frames + t] = static_cast<float>(-2 + std::sin(0.2 * static_cast<double>(b + t)));
      }
      const Spectrum magnitudes = MelInverse(options).apply({mel.data(), frames, frames});
      for (size_t b = 0; b < bands.size(); ++b) {
        for (size_t t = 0; t < frames; ++t) {
          double sum = 0;
          for (size_t i = 0; i < bands[b].weights.size(); ++i) {
            const size_t bin = static_cast<size_t>(bands[b].first) + i;
            sum += bands[b].weights[i] * std::pow(magnitudes.real(bin, t), power);
          }
          const double got = compression == Compression::log ? std::log(sum) : std::log10(sum);
          ASSERT_NEAR(got, mel[b * frames + t], 2e-3) << "band " << b << " power " << power;
        }
      }
    }
  }
}

TEST(MelInverse, MagnitudesAreNeverNegative) {
  const MelOptions options;
  std::vector<float> mel(80, -11.5F);
  for (size_t b = 0; b < mel.size(); b += 2)
    mel[b] = 1;
  const Spectrum magnitudes = MelInverse(options).apply({mel.data(), 1, 1});
  for (size_t bin = 0; bin < magnitudes.bins(); ++bin)
    EXPECT_GE(magnitudes.real(bin, 0), 0);
}

}  // namespace
}  // namespace seda::audio
