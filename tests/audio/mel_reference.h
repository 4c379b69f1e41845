// SPDX-License-Identifier: Apache-2.0
// The definition of a log-mel spectrogram, computed as it is written: in double precision, with a
// transform that sums every product. What MelCpu and its twins are held against.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "seda/audio/mel_options.h"

namespace seda::audio::testing_support {

/// The usual definition with other sizes.
inline MelOptions sized(int n_fft, int hop, int win, int n_mels = 80) {
  MelOptions options;
  options.n_fft = n_fft;
  options.hop_length = hop;
  options.win_length = win;
  options.n_mels = n_mels;
  return options;
}

/// Sample `index` of a clip that is mirrored at its ends, by walking there.
inline double mirrored_sample(std::span<const float> samples, int64_t index) {
  const auto last = static_cast<int64_t>(samples.size()) - 1;
  if (last == 0) return samples[0];
  while (index < 0 || index > last)
    index = index < 0 ? -index : 2 * last - index;
  return samples[static_cast<size_t>(index)];
}

inline double hz_to_mel(double hz, Filterbank scale) {
  if (scale == Filterbank::htk) return 2595 * std::log10(1 + hz / 700);
  return hz < 1000 ? hz * 3 / 200 : 15 + 27 * std::log(hz / 1000) / std::log(6.4);
}

inline double mel_to_hz(double mel, Filterbank scale) {
  if (scale == Filterbank::htk) return 700 * (std::pow(10, mel / 2595) - 1);
  return mel < 15 ? mel * 200 / 3 : 1000 * std::exp(std::log(6.4) * (mel - 15) / 27);
}

/// Weight of a bin in a band.
inline double band_weight(const MelOptions& o, int band, int bin) {
  const double low = hz_to_mel(o.fmin, o.filterbank);
  const double step = (hz_to_mel(o.fmax, o.filterbank) - low) / (o.n_mels + 1);
  const auto edge = [&](int i) { return mel_to_hz(low + step * i, o.filterbank); };
  const double left = edge(band);
  const double centre = edge(band + 1);
  const double right = edge(band + 2);
  const double hz = static_cast<double>(bin) * o.sample_rate / o.n_fft;
  const double height = o.filterbank == Filterbank::slaney ? 2 / (right - left) : 1;
  return height *
         std::max(0.0, std::min((hz - left) / (centre - left), (right - hz) / (right - centre)));
}

inline double window_value(const MelOptions& o, int i) {
  const int inside = i - (o.n_fft - o.win_length) / 2;
  if (inside < 0 || inside >= o.win_length) return 0;
  return 0.5 - 0.5 * std::cos(2 * std::numbers::pi * inside / o.win_length);
}

/// The definition for any frame of one clip. Tables are made once; a frame costs n_fft² steps.
class MelReference {
 public:
  MelReference(const MelOptions& options, std::vector<float> samples)
      : options_(options), samples_(std::move(samples)) {
    for (int i = 0; i < options.n_fft; ++i) {
      turns_.push_back(std::polar(1.0, -2 * std::numbers::pi * i / options.n_fft));
      window_.push_back(window_value(options, i));
    }
    for (int band = 0; band < options.n_mels; ++band) {
      for (int bin = 0; bin <= options.n_fft / 2; ++bin)
        weights_.push_back(band_weight(options, band, bin));
    }
  }

  int64_t frames() const { return mel_frames(options_, static_cast<int64_t>(samples_.size())); }

  /// Bins 0 to n_fft / 2 of a frame.
  std::vector<std::complex<double>> spectrum(int64_t frame) const {
    const size_t n = window_.size();
    std::vector<double> y(n);
    for (size_t i = 0; i < n; ++i) {
      const int64_t at =
          frame * options_.hop_length - mel_padding(options_) + static_cast<int64_t>(i);
      y[i] = window_[i] * mirrored_sample(samples_, at);
    }
    std::vector<std::complex<double>> bins(n / 2 + 1);
    for (size_t k = 0; k < bins.size(); ++k) {
      for (size_t i = 0; i < n; ++i)
        bins[k] += y[i] * turns_[i * k % n];
    }
    return bins;
  }

  /// The n_mels values of a frame.
  std::vector<double> mel(int64_t frame) const {
    const auto bins = spectrum(frame);
    std::vector<double> values;
    for (size_t band = 0; band < static_cast<size_t>(options_.n_mels); ++band) {
      double sum = 0;
      for (size_t k = 0; k < bins.size(); ++k)
        sum += weights_[band * bins.size() + k] * std::pow(std::abs(bins[k]), options_.power);
      const double held = std::max(options_.floor, sum);
      values.push_back(options_.compression == Compression::log ? std::log(held)
                                                                : std::log10(held));
    }
    return values;
  }

 private:
  MelOptions options_;
  std::vector<float> samples_;
  std::vector<std::complex<double>> turns_;
  std::vector<double> window_;
  std::vector<double> weights_;
};

/// How far values are from their reference. Near the floor the logarithm magnifies rounding.
class MelErrors {
 public:
  void add(double got, double want) {
    const double error = std::isfinite(got) ? std::abs(got - want) : 1e9;
    errors_.push_back(error);
    if (want > -9) loud_ = std::max(loud_, error);
  }

  size_t count() const { return errors_.size(); }
  double loud() const { return loud_; }  ///< Largest where the reference is above -9.
  double largest() const {
    return errors_.empty() ? 0 : *std::max_element(errors_.begin(), errors_.end());
  }
  /// What 99.9 % do not exceed.
  double most() const {
    if (errors_.empty()) return 0;
    std::vector<double> sorted = errors_;
    std::sort(sorted.begin(), sorted.end());
    return sorted[(sorted.size() - 1) * 999 / 1000];
  }
  bool within_tolerance() const { return loud() <= 3e-4 && most() <= 1e-4 && largest() <= 3e-3; }
  std::string text() const {
    char line[160];
    std::snprintf(line, sizeof line, "%8zu values, above -9: %.1e, 99.9 %%: %.1e, largest: %.1e",
                  count(), loud(), most(), largest());
    return line;
  }

 private:
  std::vector<double> errors_;
  double loud_ = 0;
};

}  // namespace seda::audio::testing_support
