// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/stft_cpu.h"

#include <algorithm>

#include "seda/audio/detail/stft_kernel.h"
#include "seda/base/error.h"

namespace seda::audio {

struct StftCpu::Plan {
  detail::StftPlan stft;
};

int64_t stft_samples(const MelOptions& options, int64_t frames) {
  if (frames <= 0) return 0;
  const int64_t covered = (frames - 1) * options.hop_length + options.n_fft;
  return std::max<int64_t>(1, covered - 2 * int64_t{mel_padding(options)});
}

StftCpu::StftCpu(const MelOptions& options) : options_(options) {
  check(options);
  plan_ = std::make_unique<Plan>(Plan{detail::make_stft_plan(options)});
}
StftCpu::~StftCpu() = default;
StftCpu::StftCpu(StftCpu&&) noexcept = default;
StftCpu& StftCpu::operator=(StftCpu&&) noexcept = default;

Spectrum StftCpu::forward(std::span<const float> samples) const {
  const int64_t frames = mel_frames(options_, static_cast<int64_t>(samples.size()));
  Spectrum spectrum(bins(), static_cast<size_t>(frames));
  if (frames == 0) return spectrum;
  detail::Polyphase clip(plan_->stft.framing, spectrum.frames());
  clip.assign(samples);
  detail::StftBuffers buffers(plan_->stft, clip.columns());
  detail::stft_forward(plan_->stft, clip, buffers, spectrum);
  return spectrum;
}

void StftCpu::inverse(const Spectrum& spectrum, std::span<float> samples) const {
  const int64_t wanted = stft_samples(options_, static_cast<int64_t>(spectrum.frames()));
  if (spectrum.bins() != bins() || static_cast<int64_t>(samples.size()) != wanted) {
    throw_error(ErrorKind::internal,
                "inverse transform: expected {} bins and room for {} samples, found {} and {}",
                bins(), wanted, spectrum.bins(), samples.size());
  }
  if (samples.empty()) return;
  detail::Polyphase clip(plan_->stft.framing, spectrum.frames());
  detail::StftBuffers buffers(plan_->stft, clip.columns());
  const auto correction = detail::make_window_correction(plan_->stft, spectrum.frames());
  detail::stft_inverse(plan_->stft, spectrum, correction, buffers, clip);
  clip.copy_to(samples);
}

}  // namespace seda::audio
