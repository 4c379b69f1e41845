// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "seda/audio/mel_options.h"
#include "seda/audio/mel_view.h"
#include "seda/audio/spectrum.h"

namespace seda::audio {

/// What takes bands back to bins: the pseudo-inverse of the filterbank, `[n_fft / 2 + 1, n_mels]`,
/// row after row. Computed in double precision; of all bins that give the bands, those with the
/// least squares.
std::vector<float> mel_inverse_matrix(const MelOptions& options);

/// Magnitudes |Y[k]| from a log-mel spectrogram: undoes the compression, spreads bands over bins
/// (`mel_inverse_matrix`), holds them at zero and undoes the power. What the bands do not tell is
/// lost; what lies at the floor comes back as the floor.
///
/// Plans once per options; const and thread-safe.
class MelInverse {
 public:
  /// Checks the options.
  explicit MelInverse(const MelOptions& options);

  const MelOptions& options() const noexcept { return options_; }

  /// Real parts are the magnitudes, imaginary parts are zero.
  Spectrum apply(const MelView& mel) const;

 private:
  MelOptions options_;
  std::vector<float> matrix_;
};

}  // namespace seda::audio
