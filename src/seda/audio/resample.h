// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace seda::audio {

/// How much of the band is kept within 0.1 dB, as a share of half the lower rate, and how far down
/// lies what would alias (soxr's LQ, HQ, VHQ; tests/audio/resample_test.cpp).
enum class ResampleQuality {
  fast,  ///< To 0.70, -3 dB at 0.81; under -100 dB.
  high,  ///< To 0.93, -3 dB at 0.95; under -125 dB.
  best,  ///< To 0.93, -3 dB at 0.95; under -150 dB, where float ends.
};

/// Changes the sample rate of whole signals, one after another.
///
/// No dither, no delay. A signal's result depends on nothing that came before. One thread at a
/// time; making one costs more than a second of sound does, so keep it.
class Resampler {
 public:
  /// Rates in Hz, 1 to 1,000,000; an Error(usage) otherwise.
  Resampler(int from_rate, int to_rate, ResampleQuality quality = ResampleQuality::high);
  ~Resampler();
  Resampler(Resampler&&) noexcept;
  Resampler& operator=(Resampler&&) noexcept;

  /// `input` at the new rate: ceil(input.size() · to / from) samples. Valid until the next call.
  std::span<const float> apply(std::span<const float> input);

  int from_rate() const noexcept { return from_rate_; }
  int to_rate() const noexcept { return to_rate_; }

 private:
  struct State;

  int from_rate_;
  int to_rate_;
  std::unique_ptr<State> state_;
  std::vector<float> output_;
};

}  // namespace seda::audio
