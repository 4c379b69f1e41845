// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/mel_tables.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace seda::audio {
namespace {

// Slaney's scale: 66.7 Hz a mel up to 1 kHz, which is mel 15; from there 27 mels for a factor 6.4.
constexpr double kBreakHz = 1000;
constexpr double kBreakMel = 15;
constexpr double kHzPerMel = kBreakHz / kBreakMel;
const double kLogStep = std::log(6.4) / 27;

double to_mel(double hz, Filterbank scale) {
  if (scale == Filterbank::htk) return 2595 * std::log10(1 + hz / 700);
  return hz < kBreakHz ? hz / kHzPerMel : kBreakMel + std::log(hz / kBreakHz) / kLogStep;
}

double to_hz(double mel, Filterbank scale) {
  if (scale == Filterbank::htk) return 700 * (std::pow(10, mel / 2595) - 1);
  return mel < kBreakMel ? mel * kHzPerMel : kBreakHz * std::exp((mel - kBreakMel) * kLogStep);
}

/// The triangle from `low` over `centre` to `high`, at the bins that it covers.
MelBand triangle(const MelOptions& options, double low, double centre, double high) {
  const double bin_hz = static_cast<double>(options.sample_rate) / options.n_fft;
  const double height = options.filterbank == Filterbank::slaney ? 2 / (high - low) : 1;
  MelBand band;
  for (int bin = 0; bin <= options.n_fft / 2; ++bin) {
    const double hz = bin * bin_hz;
    const double weight = std::min((hz - low) / (centre - low), (high - hz) / (high - centre));
    if (weight <= 0) continue;
    if (band.weights.empty()) band.first = bin;
    band.weights.push_back(weight * height);
  }
  return band;
}

}  // namespace

std::vector<double> mel_edges(const MelOptions& options) {
  const double low = to_mel(options.fmin, options.filterbank);
  const double high = to_mel(options.fmax, options.filterbank);
  std::vector<double> edges(static_cast<size_t>(options.n_mels) + 2);
  for (size_t i = 0; i < edges.size(); ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(edges.size() - 1);
    edges[i] = to_hz(low + share * (high - low), options.filterbank);
  }
  return edges;
}

std::vector<double> mel_window(const MelOptions& options) {
  std::vector<double> window(static_cast<size_t>(options.n_fft), 0.0);
  const auto left = static_cast<size_t>(options.n_fft - options.win_length) / 2;
  const auto length = static_cast<size_t>(options.win_length);
  for (size_t i = 0; i < length; ++i) {
    const double turn = static_cast<double>(i) / static_cast<double>(length);
    window[left + i] = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * turn);
  }
  return window;
}

std::vector<MelBand> mel_bands(const MelOptions& options) {
  const std::vector<double> edges = mel_edges(options);
  std::vector<MelBand> bands;
  bands.reserve(static_cast<size_t>(options.n_mels));
  for (size_t b = 0; b + 2 < edges.size(); ++b)
    bands.push_back(triangle(options, edges[b], edges[b + 1], edges[b + 2]));
  return bands;
}

}  // namespace seda::audio
