// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "seda/audio/detail/fft_plan.h"
#include "seda/audio/detail/float_lines.h"
#include "seda/audio/detail/frames.h"
#include "seda/audio/detail/polyphase.h"
#include "seda/audio/mel_options.h"
#include "seda/audio/spectrum.h"

namespace seda::audio::detail {

/// Tables of one framing and window.
struct StftPlan {
  Framing framing;
  FftPlan fft;
  std::vector<float> analysis;   ///< Window, halved, since the transform gives twice the bins.
  std::vector<float> synthesis;  ///< Window over n_fft: the inverse transform gives n_fft times.
  std::vector<float> turns;      ///< exp(-2πj · k / n_fft) for each point k: real, imaginary.
  std::vector<double> window_squares;
};

StftPlan make_stft_plan(const MelOptions& options);

/// What the squares of the windows of `frames` frames leave to divide by, for each sample: one over
/// their sum, zero where that is next to nothing.
Polyphase make_window_correction(const StftPlan& plan, size_t frames);

/// Memory that the kernels work in, for clips of one length.
struct StftBuffers {
  StftBuffers(const StftPlan& plan, size_t columns);

  FloatLines points;  ///< `[n_fft / 2, 2, lanes]`
  std::vector<uint32_t> offsets;
};

/// Every bin of every frame of `out`.
void stft_forward(const StftPlan& plan, const Polyphase& clip, StftBuffers& buffers, Spectrum& out);

/// Adds windowed frames to `clip`, which was cleared, and multiplies by `correction`.
void stft_inverse(const StftPlan& plan, const Spectrum& spectrum, const Polyphase& correction,
                  StftBuffers& buffers, Polyphase& clip);

/// What one step of Griffin-Lim changes.
struct GriffinLimState {
  Spectrum estimate;  ///< Wanted magnitudes with the phases found so far.
  Spectrum previous;  ///< Spectrum of the clip of the step before.
  float inertia = 0;  ///< Share of it that is taken off: momentum / (1 + momentum).
};

/// Transforms `clip` and gives the magnitudes of `magnitudes`, which are its real parts, the phases
/// of what comes out, less the inertia.
void stft_project(const StftPlan& plan, const Polyphase& clip, const Spectrum& magnitudes,
                  StftBuffers& buffers, GriffinLimState& state);

}  // namespace seda::audio::detail
