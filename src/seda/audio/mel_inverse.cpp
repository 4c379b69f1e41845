// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/mel_inverse.h"

#include <algorithm>
#include <cmath>

#include "seda/audio/detail/bands_to_bins.h"
#include "seda/audio/mel_tables.h"

namespace seda::audio {
namespace {

using Row = std::vector<double>;

/// Products of every two bands. They touch only near the diagonal.
std::vector<Row> products_of(const std::vector<MelBand>& bands) {
  std::vector<Row> products(bands.size(), Row(bands.size()));
  for (size_t a = 0; a < bands.size(); ++a) {
    for (size_t b = 0; b <= a; ++b) {
      const int first = std::max(bands[a].first, bands[b].first);
      const int end = std::min(bands[a].first + static_cast<int>(bands[a].weights.size()),
                               bands[b].first + static_cast<int>(bands[b].weights.size()));
      for (int bin = first; bin < end; ++bin) {
        products[a][b] += bands[a].weights[static_cast<size_t>(bin - bands[a].first)] *
                          bands[b].weights[static_cast<size_t>(bin - bands[b].first)];
      }
    }
  }
  return products;
}

/// Keeps bands without a bin, and bands that others already tell, from dividing by nothing.
void regularize(std::vector<Row>& products) {
  double largest = 0;
  for (size_t i = 0; i < products.size(); ++i)
    largest = std::max(largest, products[i][i]);
  for (size_t i = 0; i < products.size(); ++i)
    products[i][i] += std::max(1e-7 * largest, 1e-300);
}

/// The lower triangle L with L · L^T = `matrix`, in place.
void factorize(std::vector<Row>& matrix) {
  for (size_t i = 0; i < matrix.size(); ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double rest = matrix[i][j];
      for (size_t k = 0; k < j; ++k)
        rest -= matrix[i][k] * matrix[j][k];
      matrix[i][j] = i == j ? std::sqrt(rest) : rest / matrix[j][j];
    }
  }
}

/// Solves L · L^T · x = `values`, in place.
void solve(const std::vector<Row>& lower, Row& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t k = 0; k < i; ++k)
      values[i] -= lower[i][k] * values[k];
    values[i] /= lower[i][i];
  }
  for (size_t i = values.size(); i-- > 0;) {
    for (size_t k = i + 1; k < values.size(); ++k)
      values[i] -= lower[k][i] * values[k];
    values[i] /= lower[i][i];
  }
}

Row weights_of_bin(const std::vector<MelBand>& bands, int bin) {
  Row weights(bands.size());
  for (size_t b = 0; b < bands.size(); ++b) {
    const int inside = bin - bands[b].first;
    if (inside < 0 || inside >= static_cast<int>(bands[b].weights.size())) continue;
    weights[b] = bands[b].weights[static_cast<size_t>(inside)];
  }
  return weights;
}

float without_compression(const MelOptions& options, float value) {
  return options.compression == Compression::log ? std::exp(value) : std::pow(10.0F, value);
}

Spectrum bands_of(const MelOptions& options, const MelView& mel) {
  Spectrum bands(static_cast<size_t>(options.n_mels), mel.frames);
  for (size_t band = 0; band < bands.bins(); ++band) {
    for (size_t frame = 0; frame < mel.frames; ++frame)
      bands.real(band, frame) = without_compression(options, mel.data[band * mel.stride + frame]);
  }
  return bands;
}

float without_power(double power, float value) {
  return power == 2 ? std::sqrt(value) : std::pow(value, static_cast<float>(1 / power));
}

void undo_power(double power, Spectrum& magnitudes) {
  if (power == 1) return;
  for (size_t frame = 0; frame < magnitudes.frames(); ++frame) {
    for (size_t bin = 0; bin < magnitudes.bins(); ++bin)
      magnitudes.real(bin, frame) = without_power(power, magnitudes.real(bin, frame));
  }
}

}  // namespace

std::vector<float> mel_inverse_matrix(const MelOptions& options) {
  const auto bands = mel_bands(options);
  auto lower = products_of(bands);
  regularize(lower);
  factorize(lower);
  std::vector<float> matrix;
  for (int bin = 0; bin <= options.n_fft / 2; ++bin) {
    Row row = weights_of_bin(bands, bin);
    solve(lower, row);
    for (const double value : row)
      matrix.push_back(static_cast<float>(value));
  }
  return matrix;
}

MelInverse::MelInverse(const MelOptions& options) : options_(options) {
  check(options);
  matrix_ = mel_inverse_matrix(options);
}

Spectrum MelInverse::apply(const MelView& mel) const {
  Spectrum magnitudes(static_cast<size_t>(options_.n_fft) / 2 + 1, mel.frames);
  detail::bands_to_bins(matrix_, bands_of(options_, mel), magnitudes);
  undo_power(options_.power, magnitudes);
  return magnitudes;
}

}  // namespace seda::audio
