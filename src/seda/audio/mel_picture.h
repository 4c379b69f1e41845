// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "seda/audio/mel_options.h"
#include "seda/audio/picture.h"

namespace seda::audio {

/// Where things are in a picture of a mel.
struct MelLayout {
  int left = 0;  ///< Of the field of the mel.
  int top = 0;
  int width = 0;
  int height = 0;
  int frame_pixels = 1;       ///< Width of a column,
  int frames_per_column = 1;  ///< or, of a long clip, how many frames are one.
  int band_pixels = 1;        ///< Height of a band.
  double columns_per_second = 0;
  double first_column = 0;  ///< Column of the time 0, its middle.

  /// Row of a frequency, mel-spaced like the bands; the middle of a band is its centre's.
  int row(const MelOptions& options, double hz) const;
  int column(double seconds) const;
};

MelLayout lay_out(const MelOptions& options, size_t frames);

/// A mel as a picture: time to the right in seconds, frequency upwards in Hz, colours by value with
/// their bar at the right, the title above.
///
/// `mel` is `[n_mels, frames]`, at least one frame. Colours span the values that are there.
Picture draw_mel(std::span<const float> mel, const MelOptions& options, std::string_view title);

}  // namespace seda::audio
