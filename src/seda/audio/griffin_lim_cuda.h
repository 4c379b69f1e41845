// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "seda/audio/griffin_lim_options.h"
#include "seda/audio/stft_cuda.h"

namespace seda::audio {

/// Waveforms from a batch of log-mel spectrograms, without a trained vocoder, on a GPU.
///
/// The twin of GriffinLimCpu for fixed shapes; begins with the same phases. `apply` only enqueues;
/// one stream at a time. Failures as StftCuda.
class GriffinLimCuda {
 public:
  GriffinLimCuda(const MelOptions& options, int batch, int frames, device::MemoryResource& resource,
                 device::StreamView stream);
  ~GriffinLimCuda();
  GriffinLimCuda(GriffinLimCuda&&) noexcept;
  GriffinLimCuda& operator=(GriffinLimCuda&&) noexcept;

  const StftCuda& stft() const noexcept;

  /// `mels` is `[batch, n_mels, frames]`, `samples` is `[batch, stft().samples()]`.
  void apply(const float* mels, const GriffinLimOptions& options, float* samples,
             device::StreamView stream) const;

 private:
  struct Plan;

  std::unique_ptr<Plan> plan_;
};

}  // namespace seda::audio
