// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

/// The kernels around cuFFT that go to a short-time spectrum and back, as plain functions. Each
/// enqueues on the current device.
namespace seda::audio::detail {

/// Fixed shapes of a batch. Pointers are the device's.
struct StftShape {
  int batch;
  int frames;
  int samples;  ///< Of each clip.
  int n_fft;
  int hop_length;
  int padding;
  const float* window;  ///< [n_fft]

  int rows() const { return batch * frames; }
  int bins() const { return n_fft / 2 + 1; }
};

/// A log-mel definition, as far as it is undone.
struct MelInverseShape {
  int n_mels;
  const float* matrix;  ///< [bins, n_mels] (mel_inverse.h).
  float exp2_scale;     ///< 1 / log(2) or 1 / log10(2).
  float inverse_power;
};

/// Windowed, mirrored frames [batch, frames, n_fft] of clips [batch, samples].
cudaError_t run_cut_frames(const StftShape& shape, const float* samples, float* frames,
                           cudaStream_t stream);

/// Clips from frames that cuFFT brought back, n_fft times too large.
cudaError_t run_join_frames(const StftShape& shape, const float* frames, float* samples,
                            cudaStream_t stream);

/// Magnitudes [batch, frames, bins] of log-mels [batch, n_mels, frames].
cudaError_t run_mel_inverse(const StftShape& shape, const MelInverseShape& mel, const float* mels,
                            float* magnitudes, cudaStream_t stream);

/// Magnitudes with the phases that Griffin-Lim begins with; `previous` becomes zero.
cudaError_t run_first_phases(const StftShape& shape, uint64_t seed, const float* magnitudes,
                             float2* estimate, float2* previous, cudaStream_t stream);

/// One step: the phases of `rebuilt` less `inertia` of `previous`, with the magnitudes.
cudaError_t run_improve(const StftShape& shape, float inertia, const float* magnitudes,
                        const float2* rebuilt, float2* estimate, float2* previous,
                        cudaStream_t stream);

}  // namespace seda::audio::detail
