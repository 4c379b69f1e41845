// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace seda::audio {

/// `samples` without the silence at both ends. Empty where all is silence.
///
/// Level of the piece k, with w = 20 ms and h = 10 ms of samples:
///
///     rms[k] = sqrt(mean of x[t]^2, k · h <= t < k · h + w)
///
/// A piece is loud where 20 · log10(rms[k] / max rms) >= -below_db. Kept is what lies between the
/// start of the first and the end of the last loud piece, and `margin_s` seconds around it. Where
/// no piece reaches -96 dBFS (half a step of 16 bits), all is silence.
std::span<const float> trim_silence(std::span<const float> samples, int sample_rate,
                                    double below_db, double margin_s);

}  // namespace seda::audio
