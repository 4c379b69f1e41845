// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "seda/audio/detail/float_lines.h"

namespace seda::audio {

/// Complex values of every bin and frame: `[bins, frames]`, real and imaginary parts apart.
///
/// Rows begin at cache lines, `stride` floats apart. What lies between `frames` and `stride` is
/// zero and has to stay so: it is computed with.
class Spectrum {
 public:
  Spectrum(size_t bins, size_t frames)
      : bins_(bins),
        frames_(frames),
        stride_((frames + detail::kMaxLanes - 1) / detail::kMaxLanes * detail::kMaxLanes),
        real_(bins * stride_),
        imaginary_(bins * stride_) {}

  size_t bins() const noexcept { return bins_; }
  size_t frames() const noexcept { return frames_; }
  size_t stride() const noexcept { return stride_; }

  float* real(size_t bin) noexcept { return real_.data() + bin * stride_; }
  float* imaginary(size_t bin) noexcept { return imaginary_.data() + bin * stride_; }
  const float* real(size_t bin) const noexcept { return real_.data() + bin * stride_; }
  const float* imaginary(size_t bin) const noexcept { return imaginary_.data() + bin * stride_; }

 private:
  size_t bins_;
  size_t frames_;
  size_t stride_;
  detail::FloatLines real_;
  detail::FloatLines imaginary_;
};

}  // namespace seda::audio
