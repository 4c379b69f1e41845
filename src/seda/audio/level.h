// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace seda::audio {

/// The largest that 16 bits hold, as a share of full scale.
constexpr double kMostLevel = 32767.0 / 32768.0;

/// max |x[t]|, 0 of nothing.
float peak_level(std::span<const float> samples);

double to_db(double factor);
double from_db(double db);

/// Replaces `out` by the samples times `gain` as 16-bit integers and returns how many had to be
/// held at the ends of their range:
///
///     out[t] = clamp(round(gain · x[t] · 32768), -32768, 32767), halves to even
int64_t to_pcm16(std::span<const float> samples, float gain, std::vector<int16_t>& out);

}  // namespace seda::audio
