// SPDX-License-Identifier: Apache-2.0
// Frames as the source of a transform. Compiled once for each instruction set (Highway's
// foreach_target.h).
#if defined(SEDA_AUDIO_WINDOWED_FRAMES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SEDA_AUDIO_WINDOWED_FRAMES_INL_H_
#undef SEDA_AUDIO_WINDOWED_FRAMES_INL_H_
#else
#define SEDA_AUDIO_WINDOWED_FRAMES_INL_H_
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "seda/audio/detail/fft_butterflies_inl.h"

HWY_BEFORE_NAMESPACE();
namespace seda::audio::detail::HWY_NAMESPACE {

/// Windowed points of neighbouring frames, one in each lane.
struct WindowedFrames {
  const float* HWY_RESTRICT polyphase;
  const uint32_t* HWY_RESTRICT offsets;
  const float* HWY_RESTRICT window;

  HWY_INLINE Vector sample(size_t i) const {
    return hn::Mul(hn::LoadU(Tag(), polyphase + offsets[i]), hn::Set(Tag(), window[i]));
  }
  HWY_INLINE Complex load(size_t point) const { return {sample(2 * point), sample(2 * point + 1)}; }
};

}  // namespace seda::audio::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
