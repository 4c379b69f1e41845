// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

namespace seda::audio {

/// Integrated loudness of one channel in LUFS (ITU-R BS.1770-4, EBU R 128): K-weighted power in
/// pieces of 400 ms, those under -70 LUFS and those 10 LU under the mean of the rest left out.
///
/// A signal shorter than one piece is repeated until it fills one. Nothing where no piece is above
/// -70 LUFS. A sine of 997 Hz with the peak at 0 dBFS has -3.01 LUFS.
std::optional<double> integrated_loudness(std::span<const float> samples, int sample_rate);

}  // namespace seda::audio
