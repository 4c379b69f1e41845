// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/detail/polyphase.h"

#include <algorithm>

#include "seda/audio/detail/mirror.h"

namespace seda::audio::detail {

Polyphase::Polyphase(const Framing& framing, size_t frames)
    : framing_(framing),
      covered_(frames == 0 ? 0 : (frames - 1) * framing.hop + framing.n_fft),
      columns_(framing.columns((frames + kMaxLanes - 1) / kMaxLanes * kMaxLanes)),
      values_(framing.hop * columns_ + kMaxLanes) {}

void Polyphase::clear() {
  std::fill_n(values_.data(), values_.size(), 0.0F);
}

void Polyphase::assign(std::span<const float> samples) {
  clear();
  const size_t inside = std::min(covered_, framing_.pad + samples.size());
  for (size_t p = framing_.pad; p < inside; ++p)
    at(p) = samples[p - framing_.pad];
  mirror_edges(samples.size());
}

void Polyphase::copy_to(std::span<float> samples) const {
  for (size_t i = 0; i < samples.size(); ++i)
    samples[i] = at(framing_.pad + i);
}

void Polyphase::mirror_edges(size_t samples) {
  const auto pad = static_cast<int64_t>(framing_.pad);
  const auto mirror = [&](size_t p) {
    const int64_t index = mirrored(static_cast<int64_t>(p) - pad, static_cast<int64_t>(samples));
    at(p) = at(static_cast<size_t>(index + pad));
  };
  for (size_t p = 0; p < framing_.pad; ++p)
    mirror(p);
  for (size_t p = framing_.pad + samples; p < covered_; ++p)
    mirror(p);
}

}  // namespace seda::audio::detail
