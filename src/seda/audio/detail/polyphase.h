// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "seda/audio/detail/float_lines.h"
#include "seda/audio/detail/frames.h"

namespace seda::audio::detail {

/// A clip with its padding as a matrix `[hop, columns]`: sample p of the padded clip stands in row
/// p % hop, column p / hop. Neighbouring frames are then read and written without transposing.
class Polyphase {
 public:
  /// Room for what `frames` frames cover, and for the lanes of a vector beyond.
  Polyphase(const Framing& framing, size_t frames);

  size_t columns() const noexcept { return columns_; }
  size_t size() const noexcept { return framing_.hop * columns_; }
  float* data() noexcept { return values_.data(); }
  const float* data() const noexcept { return values_.data(); }

  /// Samples of the clip, mirrored before and after, as far as frames reach.
  void assign(std::span<const float> samples);

  /// The clip without its padding.
  void copy_to(std::span<float> samples) const;

  /// Makes the padding of a clip of `samples` samples anew from what lies between.
  void mirror_edges(size_t samples);

  void clear();

 private:
  float& at(size_t p) { return values_.data()[p % framing_.hop * columns_ + p / framing_.hop]; }
  float at(size_t p) const {
    return values_.data()[p % framing_.hop * columns_ + p / framing_.hop];
  }

  Framing framing_;
  size_t covered_;  ///< Samples from the first of the first frame to the last of the last.
  size_t columns_;
  FloatLines values_;
};

}  // namespace seda::audio::detail
