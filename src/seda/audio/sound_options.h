// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "seda/audio/resample.h"
#include "seda/base/json.h"

namespace seda::audio {

/// What is done to a clip between its file and its samples, in this order: mono, rate, trim,
/// loudness or peak, 16 bits. A step that has nothing to do costs nothing.
struct SoundOptions {
  int sample_rate = 22050;
  ResampleQuality resample_quality = ResampleQuality::high;
  std::optional<double> trim_below_db;  ///< Cut both ends this far below the loudest 20 ms, dB.
  double trim_margin_s = 0.05;          ///< Kept beyond the first and the last loud 20 ms.
  std::optional<double> loudness_lufs;  ///< Integrated loudness (EBU R 128); gain stops at 0 dBFS.
  std::optional<double> peak_dbfs;      ///< Level of the largest sample. Not with loudness.

  bool operator==(const SoundOptions&) const = default;
};

/// Error(config) for what cannot be: rates outside 1,000–384,000 Hz, trimming less than 1 dB or
/// more than 120 dB below, margins outside 0–10 s, a loudness outside -70–0 LUFS, a peak outside
/// -60–0 dBFS, loudness with peak.
void check(const SoundOptions& options);

/// Every value that touches the samples, with the version of each algorithm: for fingerprints.
Json describe(const SoundOptions& options);

}  // namespace seda::audio
