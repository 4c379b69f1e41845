// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/griffin_lim_cpu.h"

#include <cmath>

#include "seda/audio/detail/stft_kernel.h"
#include "seda/audio/mel_inverse.h"
#include "seda/audio/stft_cpu.h"
#include "seda/base/error.h"

namespace seda::audio {

struct GriffinLimCpu::Plan {
  MelInverse mel_inverse;
  detail::StftPlan stft;
};

namespace {

void set_first_phases(const Spectrum& magnitudes, uint64_t seed, Spectrum& estimate) {
  for (size_t bin = 0; bin < magnitudes.bins(); ++bin) {
    for (size_t frame = 0; frame < magnitudes.frames(); ++frame) {
      const float phase =
          griffin_lim_phase(seed, static_cast<uint32_t>(bin), static_cast<uint32_t>(frame));
      estimate.real(bin, frame) = magnitudes.real(bin, frame) * std::cos(phase);
      estimate.imaginary(bin, frame) = magnitudes.real(bin, frame) * std::sin(phase);
    }
  }
}

/// Griffin-Lim on one clip: the clip in time, and the state of its spectrum.
class Search {
 public:
  Search(const detail::StftPlan& plan, const Spectrum& magnitudes, const GriffinLimOptions& options)
      : plan_(plan),
        magnitudes_(magnitudes),
        clip_(plan.framing, magnitudes.frames()),
        correction_(detail::make_window_correction(plan, magnitudes.frames())),
        buffers_(plan, clip_.columns()),
        state_{Spectrum(magnitudes.bins(), magnitudes.frames()),
               Spectrum(magnitudes.bins(), magnitudes.frames()),
               static_cast<float>(options.momentum / (1 + options.momentum))} {
    set_first_phases(magnitudes, options.seed, state_.estimate);
  }

  /// The clip that fits the estimate best.
  const detail::Polyphase& to_clip() {
    clip_.clear();
    detail::stft_inverse(plan_, state_.estimate, correction_, buffers_, clip_);
    return clip_;
  }

  /// An estimate that fits the clip better.
  void improve(size_t samples) {
    clip_.mirror_edges(samples);
    detail::stft_project(plan_, clip_, magnitudes_, buffers_, state_);
  }

 private:
  const detail::StftPlan& plan_;
  const Spectrum& magnitudes_;
  detail::Polyphase clip_;
  detail::Polyphase correction_;
  detail::StftBuffers buffers_;
  detail::GriffinLimState state_;
};

}  // namespace

void check(const GriffinLimOptions& options) {
  if (options.iterations < 0 || options.iterations > 100'000) {
    throw_error(ErrorKind::usage, "Griffin-Lim iterations: expected 0 to 100000, found {}",
                options.iterations);
  }
  const bool below_one = options.momentum >= 0 && options.momentum < 1;
  if (!below_one) {
    throw_error(ErrorKind::usage, "Griffin-Lim momentum: expected 0 to below 1, found {}",
                options.momentum);
  }
}

GriffinLimCpu::GriffinLimCpu(const MelOptions& options) : options_(options) {
  check(options);
  plan_ = std::make_unique<Plan>(Plan{MelInverse(options), detail::make_stft_plan(options)});
}
GriffinLimCpu::~GriffinLimCpu() = default;
GriffinLimCpu::GriffinLimCpu(GriffinLimCpu&&) noexcept = default;
GriffinLimCpu& GriffinLimCpu::operator=(GriffinLimCpu&&) noexcept = default;

std::vector<float> GriffinLimCpu::apply(const MelView& mel,
                                        const GriffinLimOptions& options) const {
  return apply(plan_->mel_inverse.apply(mel), options);
}

std::vector<float> GriffinLimCpu::apply(const Spectrum& magnitudes,
                                        const GriffinLimOptions& options) const {
  check(options);
  const auto frames = static_cast<int64_t>(magnitudes.frames());
  std::vector<float> samples(static_cast<size_t>(stft_samples(options_, frames)));
  if (samples.empty()) return samples;
  Search search(plan_->stft, magnitudes, options);
  for (int i = 0; i < options.iterations; ++i) {
    search.to_clip();
    search.improve(samples.size());
  }
  search.to_clip().copy_to(samples);
  return samples;
}

}  // namespace seda::audio
