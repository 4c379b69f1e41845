// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstdint>
#include <memory>

#include "seda/audio/mel_options.h"
#include "seda/device/memory_resource.h"
#include "seda/device/stream.h"

namespace seda::audio {

/// Short-time spectra of a batch of equally long clips, and the way back, on a GPU.
///
/// The twin of StftCpu for fixed shapes: `samples` is `[batch, samples()]`, `spectrum` is `[batch,
/// frames, bins()]`, both in the memory of the GPU. Calls only enqueue and may be captured in a
/// CUDA graph, but share buffers: one stream at a time. By cuFFT: Error(unavailable) where that is
/// not there, and in a build without CUDA.
class StftCuda {
 public:
  /// Checks the options; a batch or frames that are not positive are an Error(usage). Takes its
  /// memory from `resource`, about twice that of a spectrum, which is of the GPU of `stream` and
  /// outlives this.
  StftCuda(const MelOptions& options, int batch, int frames, device::MemoryResource& resource,
           device::StreamView stream);
  ~StftCuda();
  StftCuda(StftCuda&&) noexcept;
  StftCuda& operator=(StftCuda&&) noexcept;

  const MelOptions& options() const noexcept { return options_; }
  int batch() const noexcept { return batch_; }
  int frames() const noexcept { return frames_; }
  int bins() const noexcept { return options_.n_fft / 2 + 1; }
  int64_t samples() const noexcept;  ///< Of each clip (`stft_samples`).

  void forward(const float* samples, std::complex<float>* spectrum,
               device::StreamView stream) const;

  /// The clips whose frames are nearest to `spectrum`, which is overwritten.
  void inverse(std::complex<float>* spectrum, float* samples, device::StreamView stream) const;

 private:
  struct Plan;

  MelOptions options_;
  int batch_ = 0;
  int frames_ = 0;
  std::unique_ptr<Plan> plan_;
};

}  // namespace seda::audio
