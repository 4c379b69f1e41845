// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/mono.h"

#include <algorithm>
#include <cstddef>

namespace seda::audio {
namespace {

/// The common case, with a loop that compilers make vectors of.
void mix_pairs(const float* in, std::span<float> out) {
  for (size_t t = 0; t < out.size(); ++t)
    out[t] = (in[2 * t] + in[2 * t + 1]) * 0.5F;
}

}  // namespace

void mix_to_mono(std::span<const float> in, int channels, std::span<float> out) {
  if (channels == 1) {
    std::ranges::copy(in, out.begin());
    return;
  }
  if (channels == 2) return mix_pairs(in.data(), out);
  const auto width = static_cast<size_t>(channels);
  const float share = 1.0F / static_cast<float>(channels);
  for (size_t t = 0; t < out.size(); ++t) {
    float sum = 0;
    for (const float sample : in.subspan(t * width, width))
      sum += sample;
    out[t] = sum * share;
  }
}

}  // namespace seda::audio
