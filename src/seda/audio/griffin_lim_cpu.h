// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "seda/audio/griffin_lim_options.h"
#include "seda/audio/mel_options.h"
#include "seda/audio/mel_view.h"
#include "seda/audio/spectrum.h"

namespace seda::audio {

/// A waveform from a log-mel spectrogram, without a trained vocoder, on the CPU.
///
/// Magnitudes by `MelInverse`, then phases by fast Griffin-Lim: back and forth between the clip
/// (`StftCpu::inverse`) and its spectrum, whose phases are kept and whose magnitudes are set right.
/// Plans once per options; const and thread-safe. One thread a clip; a call allocates about 30
/// bytes for each bin of each frame. The same seed gives the same samples on the same instruction
/// set.
class GriffinLimCpu {
 public:
  /// Checks the options.
  explicit GriffinLimCpu(const MelOptions& options);
  ~GriffinLimCpu();
  GriffinLimCpu(GriffinLimCpu&&) noexcept;
  GriffinLimCpu& operator=(GriffinLimCpu&&) noexcept;

  const MelOptions& options() const noexcept { return options_; }

  /// As many samples as give the frames of `mel` back (`stft_samples`), about in [-1, 1).
  std::vector<float> apply(const MelView& mel, const GriffinLimOptions& options) const;

  /// The same from magnitudes, which are the real parts of `[n_fft / 2 + 1, frames]`.
  std::vector<float> apply(const Spectrum& magnitudes, const GriffinLimOptions& options) const;

 private:
  struct Plan;

  MelOptions options_;
  std::unique_ptr<const Plan> plan_;
};

}  // namespace seda::audio
