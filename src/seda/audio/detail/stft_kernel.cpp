// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/detail/stft_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "seda/audio/detail/stft_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "seda/audio/detail/fft_passes_inl.h"
#include "seda/audio/detail/windowed_frames_inl.h"

HWY_BEFORE_NAMESPACE();
namespace seda::audio::detail::HWY_NAMESPACE {
namespace {

/// A vector of frames of a spectrum, from frame `frame` on.
HWY_INLINE Complex load_bins(const Spectrum& spectrum, size_t bin, size_t frame) {
  return {hn::Load(Tag(), &spectrum.real(bin, frame)),
          hn::Load(Tag(), &spectrum.imaginary(bin, frame))};
}

HWY_INLINE void store_bins(Spectrum& spectrum, size_t bin, size_t frame, const Complex& value) {
  hn::Store(value.re, Tag(), &spectrum.real(bin, frame));
  hn::Store(value.im, Tag(), &spectrum.imaginary(bin, frame));
}

/// Zero in the lanes beyond the last frame.
HWY_INLINE Complex only_frames(const Complex& value, size_t frame, size_t frames) {
  const auto valid = hn::FirstN(Tag(), frames - frame);
  return {hn::IfThenElseZero(valid, value.re), hn::IfThenElseZero(valid, value.im)};
}

struct StoreBins {
  Spectrum& out;
  size_t frame;

  HWY_INLINE void operator()(size_t bin, const Complex& value) const {
    store_bins(out, bin, frame, only_frames(value, frame, out.frames()));
  }
};

/// Takes the phases of value - inertia · previous.
struct StoreProjected {
  GriffinLimState& state;
  const Spectrum& magnitudes;
  size_t frame;

  HWY_INLINE void operator()(size_t bin, const Complex& any) const {
    const Complex value = only_frames(any, frame, magnitudes.frames());
    const Complex before = load_bins(state.previous, bin, frame);
    const Complex moved = minus_scaled(value, hn::Set(Tag(), state.inertia), before);
    const Vector square = hn::MulAdd(moved.re, moved.re, hn::Mul(moved.im, moved.im));
    const Vector length = hn::Sqrt(hn::Max(square, hn::Set(Tag(), 1e-30F)));
    const Vector wanted = hn::Load(Tag(), &magnitudes.real(bin, frame));
    store_bins(state.estimate, bin, frame, scaled(moved, hn::Div(wanted, length)));
    store_bins(state.previous, bin, frame, value);
  }
};

/// The points whose transform with real and imaginary parts exchanged is the inverse transform of
/// the bins, times n_fft.
struct BinsAsPoints {
  const Spectrum& spectrum;
  const float* HWY_RESTRICT turns;
  size_t points;
  size_t frame;

  HWY_INLINE Complex load(size_t k) const {
    const Complex bin = load_bins(spectrum, k, frame);
    const Complex mirror = load_bins(spectrum, points - k, frame);
    const Complex sum = {hn::Add(bin.re, mirror.re), hn::Sub(bin.im, mirror.im)};
    const Complex difference = {hn::Sub(bin.re, mirror.re), hn::Add(bin.im, mirror.im)};
    const Complex point = plus_turned(sum, turned(difference, turns[2 * k], -turns[2 * k + 1]));
    return {point.im, point.re};
  }
};

/// Adds a windowed sample of neighbouring frames to the clip.
HWY_INLINE void add_sample(const StftPlan& plan, size_t i, Vector value, float* at) {
  const Vector window = hn::Set(Tag(), plan.synthesis[i]);
  hn::StoreU(hn::MulAdd(value, window, hn::LoadU(Tag(), at)), Tag(), at);
}

void add_frames(const StftPlan& plan, const Spectrum& spectrum, size_t frame, StftBuffers& buffers,
                float* clip) {
  const PointsAt points{buffers.points.data()};
  first_pass(plan.fft, BinsAsPoints{spectrum, plan.turns.data(), plan.fft.points, frame}, points);
  for (size_t block = 0; block < static_cast<size_t>(plan.fft.passes.front().radix); ++block)
    later_passes(plan.fft, points, block);
  for (size_t point = 0; point < plan.fft.points; ++point) {
    const Complex exchanged = points.load(plan.fft.position[point]);
    add_sample(plan, 2 * point, exchanged.im, clip + buffers.offsets[2 * point]);
    add_sample(plan, 2 * point + 1, exchanged.re, clip + buffers.offsets[2 * point + 1]);
  }
}

template <class Store>
void transform_frames(const StftPlan& plan, const float* clip, StftBuffers& buffers,
                      const Store& store) {
  const WindowedFrames frames{clip, buffers.offsets.data(), plan.analysis.data()};
  real_forward(plan.fft, frames, buffers.points.data(), store);
}

void forward(const StftPlan& plan, const Polyphase& clip, StftBuffers& buffers, Spectrum& out) {
  for (size_t frame = 0; frame < out.frames(); frame += kLanes)
    transform_frames(plan, clip.data() + frame, buffers, StoreBins{out, frame});
}

void project(const StftPlan& plan, const Polyphase& clip, const Spectrum& magnitudes,
             StftBuffers& buffers, GriffinLimState& state) {
  for (size_t frame = 0; frame < magnitudes.frames(); frame += kLanes) {
    transform_frames(plan, clip.data() + frame, buffers, StoreProjected{state, magnitudes, frame});
  }
}

void inverse(const StftPlan& plan, const Spectrum& spectrum, const Polyphase& correction,
             StftBuffers& buffers, Polyphase& clip) {
  for (size_t frame = 0; frame < spectrum.frames(); frame += kLanes)
    add_frames(plan, spectrum, frame, buffers, clip.data() + frame);
  for (size_t i = 0; i < clip.size(); i += kLanes) {
    const Vector factor = hn::Load(Tag(), correction.data() + i);
    hn::Store(hn::Mul(hn::Load(Tag(), clip.data() + i), factor), Tag(), clip.data() + i);
  }
}

}  // namespace
}  // namespace seda::audio::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace seda::audio::detail {

HWY_EXPORT(forward);
HWY_EXPORT(inverse);
HWY_EXPORT(project);

void stft_forward(const StftPlan& plan, const Polyphase& clip, StftBuffers& buffers,
                  Spectrum& out) {
  HWY_DYNAMIC_DISPATCH(forward)(plan, clip, buffers, out);
}

void stft_inverse(const StftPlan& plan, const Spectrum& spectrum, const Polyphase& correction,
                  StftBuffers& buffers, Polyphase& clip) {
  HWY_DYNAMIC_DISPATCH(inverse)(plan, spectrum, correction, buffers, clip);
}

void stft_project(const StftPlan& plan, const Polyphase& clip, const Spectrum& magnitudes,
                  StftBuffers& buffers, GriffinLimState& state) {
  HWY_DYNAMIC_DISPATCH(project)(plan, clip, magnitudes, buffers, state);
}

}  // namespace seda::audio::detail
#endif  // HWY_ONCE
