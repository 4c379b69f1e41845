// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace seda::audio {

/// Channels to one, by their mean:
///
///     out[t] = (in[t, 0] + … + in[t, channels - 1]) / channels
///
/// `in` holds `out.size()` frames of `channels` samples each.  // [frames, channels]
void mix_to_mono(std::span<const float> in, int channels, std::span<float> out);

}  // namespace seda::audio
