// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/pack_sound.h"

#include <algorithm>
#include <cstring>

#include "seda/feed/samples_needed.h"

namespace seda::feed {

std::span<const int16_t> needed(std::span<const int16_t> samples, const audio::MelOptions& mel,
                                int frames) {
  const auto most = static_cast<size_t>(samples_needed(mel, frames));
  return samples.first(std::min(samples.size(), most));
}

void copy_bands(Bands<const float> from, Bands<float> to, size_t n_mels, size_t frames) {
  for (size_t band = 0; band < n_mels; ++band)
    std::memcpy(to.data + band * to.stride, from.data + band * from.stride, frames * sizeof(float));
}

int32_t pack_sound(const ClipContent& content, const audio::MelOptions& mel, int frames, void* to) {
  if (content.mel.empty()) {
    const auto samples = needed(content.samples, mel, frames);
    std::memcpy(to, samples.data(), samples.size_bytes());
    return static_cast<int32_t>(samples.size());
  }
  const auto fed = static_cast<size_t>(frames);
  copy_bands({content.mel.data(), static_cast<size_t>(content.mel_frames)},
             {static_cast<float*>(to), fed}, static_cast<size_t>(mel.n_mels), fed);
  return frames;
}

}  // namespace seda::feed
