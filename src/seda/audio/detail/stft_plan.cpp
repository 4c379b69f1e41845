// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include "seda/audio/detail/stft_kernel.h"
#include "seda/audio/mel_tables.h"

namespace seda::audio::detail {
namespace {

constexpr double kNoWindow = 1e-8;  ///< Below this the windows of all frames together are nothing.

double window_sum(const StftPlan& plan, size_t frames, size_t row, size_t column) {
  double sum = 0;
  for (size_t i = row, back = 0; i < plan.framing.n_fft && back <= column;
       i += plan.framing.hop, ++back) {
    if (column - back < frames) sum += plan.window_squares[i];
  }
  return sum;
}

}  // namespace

StftPlan make_stft_plan(const MelOptions& options) {
  StftPlan plan;
  plan.framing = framing_of(options);
  plan.fft = make_fft_plan(plan.framing.n_fft);
  for (const double value : mel_window(options)) {
    plan.analysis.push_back(static_cast<float>(value / 2));
    plan.synthesis.push_back(static_cast<float>(value / options.n_fft));
    plan.window_squares.push_back(value * value);
  }
  for (size_t k = 0; k < plan.fft.points; ++k) {
    const double angle = -2 * std::numbers::pi * static_cast<double>(k) / options.n_fft;
    plan.turns.push_back(static_cast<float>(std::cos(angle)));
    plan.turns.push_back(static_cast<float>(std::sin(angle)));
  }
  return plan;
}

Polyphase make_window_correction(const StftPlan& plan, size_t frames) {
  Polyphase correction(plan.framing, frames);
  const size_t columns = correction.columns();
  for (size_t row = 0; row < plan.framing.hop; ++row) {
    for (size_t column = 0; column < columns; ++column) {
      const double sum = window_sum(plan, frames, row, column);
      if (sum > kNoWindow) correction.data()[row * columns + column] = static_cast<float>(1 / sum);
    }
  }
  return correction;
}

StftBuffers::StftBuffers(const StftPlan& plan, size_t columns)
    : points(2 * fft_memory(plan.fft) * kMaxLanes), offsets(plan.framing.n_fft) {
  fill_offsets(plan.framing, columns, offsets);
}

}  // namespace seda::audio::detail
