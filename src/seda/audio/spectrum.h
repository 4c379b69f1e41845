// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "seda/audio/detail/float_lines.h"

namespace seda::audio {

/// Complex values of every bin and frame, real and imaginary parts apart.
///
/// In memory sixteen neighbouring frames stand together, bin after bin: `[frames / 16, bins, 16]`.
/// Who computes with frames side by side then reads straight on. The places beyond the last frame
/// are zero and have to stay so: they are computed with.
class Spectrum {
 public:
  Spectrum(size_t bins, size_t frames)
      : bins_(bins), frames_(frames), real_(places()), imaginary_(places()) {}

  size_t bins() const noexcept { return bins_; }
  size_t frames() const noexcept { return frames_; }

  float& real(size_t bin, size_t frame) noexcept { return real_.data()[place(bin, frame)]; }
  float& imaginary(size_t bin, size_t frame) noexcept {
    return imaginary_.data()[place(bin, frame)];
  }
  const float& real(size_t bin, size_t frame) const noexcept {
    return real_.data()[place(bin, frame)];
  }
  const float& imaginary(size_t bin, size_t frame) const noexcept {
    return imaginary_.data()[place(bin, frame)];
  }

 private:
  static constexpr size_t kSide = detail::kMaxLanes;

  size_t places() const noexcept { return (frames_ + kSide - 1) / kSide * kSide * bins_; }
  size_t place(size_t bin, size_t frame) const noexcept {
    return (frame / kSide * bins_ + bin) * kSide + frame % kSide;
  }

  size_t bins_;
  size_t frames_;
  detail::FloatLines real_;
  detail::FloatLines imaginary_;
};

}  // namespace seda::audio
