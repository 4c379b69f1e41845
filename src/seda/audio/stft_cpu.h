// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "seda/audio/mel_options.h"
#include "seda/audio/spectrum.h"

namespace seda::audio {

/// Samples of the clip that `frames` frames cover, and which gives just those frames back:
/// (frames - 1) · hop_length + n_fft - 2 · pad, at least one where there is a frame.
int64_t stft_samples(const MelOptions& options, int64_t frames);

/// Short-time spectrum of the frames of `MelOptions`, and the way back, on the CPU.
///
/// Of the options only the framing counts: n_fft, hop_length, win_length, center. Plans once; const
/// and thread-safe. Each call allocates what it needs for its clip.
class StftCpu {
 public:
  /// Checks the options.
  explicit StftCpu(const MelOptions& options);
  ~StftCpu();
  StftCpu(StftCpu&&) noexcept;
  StftCpu& operator=(StftCpu&&) noexcept;

  const MelOptions& options() const noexcept { return options_; }
  size_t bins() const noexcept { return static_cast<size_t>(options_.n_fft) / 2 + 1; }

  /// Y[k] of every frame.
  Spectrum forward(std::span<const float> samples) const;

  /// The clip whose frames are nearest to `spectrum`: overlapping windowed frames, over the sum of
  /// the squares of their windows. Fills `samples`, which has just `stft_samples` of them, else
  /// Error(internal). Samples that no window reaches are zero.
  void inverse(const Spectrum& spectrum, std::span<float> samples) const;

 private:
  struct Plan;

  MelOptions options_;
  std::unique_ptr<const Plan> plan_;
};

}  // namespace seda::audio
