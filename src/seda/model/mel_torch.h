// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "seda/audio/mel_options.h"

namespace seda::model {

/// Samples before the first and after the last, mirrored without repeating the end sample; `count`
/// is less than the number of samples.  // [batch, samples] → [batch, samples + before + after]
torch::Tensor mirrored(const torch::Tensor& samples, int64_t before, int64_t after);

/// The short-time spectrum of samples in which every frame lies whole: frame t begins at sample
/// t · hop.  // [batch, samples], [n_fft] → [batch, frames, n_fft / 2 + 1] complex
torch::Tensor short_time_spectrum(const torch::Tensor& samples, const torch::Tensor& window,
                                  int64_t hop);

/// The same mel over all frequencies that the sample rate has.
audio::MelOptions full_band(audio::MelOptions options);

/// The log-mel spectrogram of audio::MelOptions in torch, with a gradient. fp32.
///
/// Equals audio::MelCpu to 3e-4 where that is above -9 (tests/model/mel_torch_test.cpp). Enqueues
/// on torch's current stream and does not wait.
class MelTorch {
 public:
  MelTorch(const audio::MelOptions& options, torch::Device device);

  const audio::MelOptions& options() const noexcept { return options_; }

  /// Of whole clips, which are longer than the padding: [batch, samples] → [batch, n_mels, frames].
  torch::Tensor apply(const torch::Tensor& samples) const;

  /// Of clips whose first and last samples are the padding.
  torch::Tensor apply_padded(const torch::Tensor& samples) const;

 private:
  audio::MelOptions options_;
  torch::Tensor window_;  // [n_fft]
  torch::Tensor bands_;   // [bins, n_mels]
};

}  // namespace seda::model
