// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "seda/audio/mel_options.h"

namespace seda::audio {

/// One band of a filterbank: its weights from bin `first` on, zero elsewhere. A band narrower than
/// the distance of two bins may have none.
struct MelBand {
  int first = 0;
  std::vector<double> weights;
};

/// The n_mels + 2 edges of the bands in Hz: band b rises from edge b to b + 1, its centre, and
/// falls to edge b + 2.
std::vector<double> mel_edges(const MelOptions& options);

/// The window of a frame: n_fft values, in double precision.
std::vector<double> mel_window(const MelOptions& options);

/// The n_mels bands over bins 0 to n_fft / 2, in double precision.
std::vector<MelBand> mel_bands(const MelOptions& options);

}  // namespace seda::audio
