// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/detail/mel_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "seda/audio/detail/mel_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "seda/audio/detail/fft_passes_inl.h"
#include "seda/audio/detail/log_inl.h"
#include "seda/audio/detail/polyphase_inl.h"
#include "seda/audio/detail/windowed_frames_inl.h"

HWY_BEFORE_NAMESPACE();
namespace seda::audio::detail::HWY_NAMESPACE {
namespace {

struct StoreMagnitude {
  float* HWY_RESTRICT spectrum;

  HWY_INLINE void operator()(size_t bin, const Complex& value) const {
    const Vector square = hn::MulAdd(value.re, value.re, hn::Mul(value.im, value.im));
    hn::Store(hn::Sqrt(square), Tag(), spectrum + bin * kLanes);
  }
};

struct StorePower {
  float* HWY_RESTRICT spectrum;

  HWY_INLINE void operator()(size_t bin, const Complex& value) const {
    const Vector square = hn::MulAdd(value.re, value.re, hn::Mul(value.im, value.im));
    hn::Store(square, Tag(), spectrum + bin * kLanes);
  }
};

/// Any other power of the magnitude, one by one.
struct StoreAnyPower {
  float* HWY_RESTRICT spectrum;
  float half_power;

  HWY_INLINE void operator()(size_t bin, const Complex& value) const {
    StorePower{spectrum}(bin, value);
    for (size_t lane = 0; lane < kLanes; ++lane) {
      float& one = spectrum[bin * kLanes + lane];
      one = std::pow(one, half_power);
    }
  }
};

void make_spectrum(const MelKernelPlan& plan, const WindowedFrames& frames,
                   MelKernelBuffers& buffers) {
  float* points = buffers.points.data();
  float* spectrum = buffers.spectrum.data();
  if (plan.power == 1) {
    real_forward(plan.fft, frames, points, StoreMagnitude{spectrum});
  } else if (plan.power == 2) {
    real_forward(plan.fft, frames, points, StorePower{spectrum});
  } else {
    const auto half_power = static_cast<float>(plan.power / 2);
    real_forward(plan.fft, frames, points, StoreAnyPower{spectrum, half_power});
  }
}

HWY_INLINE Vector band_sum(const MelKernelPlan& plan, const MelKernelBand& band,
                           const float* HWY_RESTRICT spectrum) {
  const float* HWY_RESTRICT weights = plan.weights.data() + band.weights;
  const float* HWY_RESTRICT bins = spectrum + band.first * kLanes;
  Vector sum = hn::Zero(Tag());
  for (size_t i = 0; i < band.count; ++i)
    sum = hn::MulAdd(hn::Set(Tag(), weights[i]), hn::Load(Tag(), bins + i * kLanes), sum);
  return sum;
}

/// Bands of up to kLanes frames, from frame `frame` on.
void make_bands(const MelKernelPlan& plan, const float* spectrum, const MelView& out,
                size_t frame) {
  const size_t count = std::min(kLanes, out.frames - frame);
  const Vector floor = hn::Set(Tag(), plan.floor);
  const Vector factor = hn::Set(Tag(), plan.log_factor);
  float* row = out.data + frame;
  for (const MelKernelBand& band : plan.bands) {
    const Vector sum = hn::Max(band_sum(plan, band, spectrum), floor);
    const Vector value = hn::Mul(natural_log(Tag(), sum), factor);
    if (count == kLanes) {
      hn::StoreU(value, Tag(), row);
    } else {
      HWY_ALIGN float kept[kLanes];
      hn::Store(value, Tag(), kept);
      std::memcpy(row, kept, count * sizeof(float));
    }
    row += out.stride;
  }
}

/// The samples of a group of frames as a matrix; those outside the clip are mirrored.
template <typename Sample>
void load_frames(const Framing& framing, std::span<const Sample> samples, size_t frame,
                 size_t frames, MelKernelBuffers& buffers) {
  const size_t columns = framing.columns(kLanes);
  const size_t count = framing.hop * columns;
  const auto pad = static_cast<int64_t>(framing.pad);
  const auto first = static_cast<int64_t>(frame * framing.hop) - pad;
  const auto size = static_cast<int64_t>(samples.size());
  if (first >= 0 && first + static_cast<int64_t>(count) <= size) {
    to_polyphase(samples.data() + first, framing.hop, columns, buffers.polyphase.data());
    return;
  }
  const auto end = static_cast<int64_t>((frames - 1) * framing.hop + framing.n_fft) - pad;
  copy_mirrored(samples, first, end, std::span(buffers.edge.data(), count));
  to_polyphase(buffers.edge.data(), framing.hop, columns, buffers.polyphase.data());
}

template <typename Sample>
void mel_clip(const MelKernelPlan& plan, std::span<const Sample> samples, MelKernelBuffers& buffers,
              const MelView& out) {
  const size_t columns = plan.framing.columns(kLanes);
  if (buffers.offset_columns != columns) {
    fill_offsets(plan.framing, columns, buffers.offsets);
    buffers.offset_columns = columns;
  }
  const WindowedFrames frames{buffers.polyphase.data(), buffers.offsets.data(), plan.window.data()};
  for (size_t frame = 0; frame < out.frames; frame += kLanes) {
    load_frames(plan.framing, samples, frame, out.frames, buffers);
    make_spectrum(plan, frames, buffers);
    make_bands(plan, buffers.spectrum.data(), out, frame);
  }
}

void mel_of_integers(const MelKernelPlan& plan, std::span<const int16_t> samples,
                     MelKernelBuffers& buffers, const MelView& out) {
  mel_clip(plan, samples, buffers, out);
}

void mel_of_floats(const MelKernelPlan& plan, std::span<const float> samples,
                   MelKernelBuffers& buffers, const MelView& out) {
  mel_clip(plan, samples, buffers, out);
}

}  // namespace
}  // namespace seda::audio::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace seda::audio::detail {

HWY_EXPORT(mel_of_integers);
HWY_EXPORT(mel_of_floats);

void mel_kernel(const MelKernelPlan& plan, std::span<const int16_t> samples,
                MelKernelBuffers& buffers, const MelView& out) {
  HWY_DYNAMIC_DISPATCH(mel_of_integers)(plan, samples, buffers, out);
}

void mel_kernel(const MelKernelPlan& plan, std::span<const float> samples,
                MelKernelBuffers& buffers, const MelView& out) {
  HWY_DYNAMIC_DISPATCH(mel_of_floats)(plan, samples, buffers, out);
}

}  // namespace seda::audio::detail
#endif  // HWY_ONCE
