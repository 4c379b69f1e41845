// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "seda/base/json.h"

namespace seda::audio {

/// Mel scale and height of the bands.
///
/// slaney: linear to 1 kHz, logarithmic above, triangles of equal area (librosa's default).
/// htk: 2595 · log10(1 + f / 700), triangles of height 1.
enum class Filterbank { slaney, htk };

enum class Compression { log, log10 };  ///< Natural or decimal logarithm.

/// The one definition of a log-mel spectrogram: what a cache, a model and a vocoder must agree on.
///
/// With x the samples in [-1, 1), every frame t is
///
///     y[i]  = window[i] · x[t · hop_length - pad + i],                  0 <= i < n_fft
///     Y[k]  = sum of y[i] · exp(-2πj · i · k / n_fft),                  0 <= k <= n_fft / 2
///     mel[b, t] = compression(max(floor, sum of bands[b, k] · |Y[k]|^power))
///
/// - window: periodic Hann of win_length, in the middle of n_fft, zero around it.
/// - pad: n_fft / 2 where `center`, else (n_fft - hop_length) / 2, both rounded down; before the
///   first and after the last sample x is mirrored without repeating the end sample, as often as
///   it takes; a single sample is repeated.
/// - frames: (samples + 2 · pad - n_fft) / hop_length + 1, rounded down; none where that numerator
///   is negative or there is no sample.
/// - bands: triangles between n_mels + 2 edges that are equally spaced on the scale from fmin to
///   fmax (`Filterbank`).
struct MelOptions {
  int sample_rate = 22050;
  int n_fft = 1024;  ///< Even, with no prime factor but 2, 3 and 5.
  int hop_length = 256;
  int win_length = 1024;
  bool center = false;
  int n_mels = 80;
  double fmin = 0;     ///< Hz.
  double fmax = 8000;  ///< Hz.
  Filterbank filterbank = Filterbank::slaney;
  double power = 1;  ///< 1 magnitude, 2 power.
  Compression compression = Compression::log;
  double floor = 1e-5;

  bool operator==(const MelOptions&) const = default;
};

/// "hifigan" (the defaults above), "tacotron2" (centred), "fullband" (centred, to half the sample
/// rate). Another name is an Error(config) that lists them.
MelOptions mel_preset(std::string_view name, int sample_rate = 22050);
std::vector<std::string_view> mel_preset_names();

/// Error(config) that names the first value that cannot be, why, and what would do.
void check(const MelOptions& options);

/// Frames of a clip of that many samples.
int64_t mel_frames(const MelOptions& options, int64_t samples);

/// Samples before the first and after the last that a frame may reach.
int mel_padding(const MelOptions& options);

/// What silence and masked frames hold: compression(floor).
float mel_silence(const MelOptions& options);

/// Every value by its configuration name, for fingerprints, reports and comparison.
Json describe(const MelOptions& options);

/// Reads `describe` back; a missing or foreign value is an Error(io).
MelOptions read_mel_options(const Json& description);

}  // namespace seda::audio
