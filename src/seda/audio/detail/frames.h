// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "seda/audio/mel_options.h"

namespace seda::audio::detail {

/// Where a frame's samples are: as in `MelOptions`.
struct Framing {
  size_t n_fft = 0;
  size_t hop = 0;
  size_t pad = 0;

  /// Columns of `[hop, columns]` that `frames` neighbouring frames touch, in whole tiles.
  size_t columns(size_t frames) const {
    const size_t touched = frames + (n_fft - 1) / hop;
    return (touched + 3) / 4 * 4;
  }
};

inline Framing framing_of(const MelOptions& options) {
  return {static_cast<size_t>(options.n_fft), static_cast<size_t>(options.hop_length),
          static_cast<size_t>(mel_padding(options))};
}

/// Where sample i of a frame is in `[hop, columns]`, counted from the frame's own column.
inline void fill_offsets(const Framing& framing, size_t columns, std::vector<uint32_t>& offsets) {
  for (size_t i = 0, row = 0, column = 0; i < framing.n_fft; ++i) {
    offsets[i] = static_cast<uint32_t>(row * columns + column);
    if (++row == framing.hop) {
      row = 0;
      ++column;
    }
  }
}

}  // namespace seda::audio::detail
