// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/detail/mirror.cuh"
#include "seda/audio/detail/stft_launch_cuda.h"
#include "seda/audio/griffin_lim_options.h"

namespace seda::audio::detail {
namespace {

constexpr int kThreads = 256;

unsigned blocks_for(int64_t count) {
  return static_cast<unsigned>((count + kThreads - 1) / kThreads);
}

/// A block for each frame.
__global__ void __launch_bounds__(kThreads)
    cut_kernel(StftShape shape, const float* samples, float* frames) {
  const int row = blockIdx.x;
  const float* const clip = samples + static_cast<int64_t>(row / shape.frames) * shape.samples;
  float* const out = frames + static_cast<int64_t>(row) * shape.n_fft;
  const int begin = row % shape.frames * shape.hop_length - shape.padding;
  for (int i = threadIdx.x; i < shape.n_fft; i += kThreads)
    out[i] = clip[mirror(begin + i, shape.samples)] * shape.window[i];
}

/// A thread for each sample: every frame that covers it, in order.
__global__ void __launch_bounds__(kThreads)
    join_kernel(StftShape shape, const float* frames, float* samples) {
  const int64_t index = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (index >= static_cast<int64_t>(shape.batch) * shape.samples) return;
  const int clip = static_cast<int>(index / shape.samples);
  const int at = static_cast<int>(index % shape.samples) + shape.padding;
  const int last = min(at / shape.hop_length, shape.frames - 1);
  const int first = max(0, (at - shape.n_fft + shape.hop_length) / shape.hop_length);
  float sum = 0;
  float squares = 0;
  for (int t = first; t <= last; ++t) {
    const int i = at - t * shape.hop_length;
    if (i >= shape.n_fft) continue;
    const float window = shape.window[i];
    const int64_t row = static_cast<int64_t>(clip) * shape.frames + t;
    sum = fmaf(window, frames[row * shape.n_fft + i], sum);
    squares = fmaf(window, window, squares);
  }
  samples[index] = squares > 1e-8F ? sum / (squares * static_cast<float>(shape.n_fft)) : 0.0F;
}

/// A block for each frame; its bands in shared memory, a thread for each bin.
__global__ void __launch_bounds__(kThreads)
    mel_inverse_kernel(StftShape shape, MelInverseShape mel, const float* mels, float* magnitudes) {
  extern __shared__ float bands[];
  const int clip = blockIdx.x / shape.frames;
  const int frame = blockIdx.x % shape.frames;
  for (int b = threadIdx.x; b < mel.n_mels; b += kThreads) {
    const int64_t row = static_cast<int64_t>(clip) * mel.n_mels + b;
    bands[b] = exp2f(mels[row * shape.frames + frame] * mel.exp2_scale);
  }
  __syncthreads();
  const int bins = shape.n_fft / 2 + 1;
  for (int k = threadIdx.x; k < bins; k += kThreads) {
    float sum = 0;
    for (int b = 0; b < mel.n_mels; ++b)
      sum = fmaf(mel.matrix[static_cast<int64_t>(k) * mel.n_mels + b], bands[b], sum);
    sum = fmaxf(sum, 0.0F);
    if (mel.inverse_power != 1.0F) sum = powf(sum, mel.inverse_power);
    magnitudes[static_cast<int64_t>(blockIdx.x) * bins + k] = sum;
  }
}

__global__ void __launch_bounds__(kThreads)
    first_phase_kernel(StftShape shape, uint64_t seed, const float* magnitudes, float2* estimate,
                       float2* previous) {
  const int bins = shape.n_fft / 2 + 1;
  const int64_t index = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (index >= static_cast<int64_t>(shape.batch) * shape.frames * bins) return;
  const auto bin = static_cast<uint32_t>(index % bins);
  const auto frame = static_cast<uint32_t>(index / bins % shape.frames);
  float sine = 0;
  float cosine = 0;
  sincosf(griffin_lim_phase(seed, bin, frame), &sine, &cosine);
  estimate[index] = {magnitudes[index] * cosine, magnitudes[index] * sine};
  previous[index] = {};
}

__global__ void __launch_bounds__(kThreads)
    improve_kernel(int64_t count, float inertia, const float* magnitudes, const float2* rebuilt,
                   float2* estimate, float2* previous) {
  const int64_t index = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (index >= count) return;
  const float2 now = rebuilt[index];
  const float2 before = previous[index];
  const float2 phase{now.x - inertia * before.x, now.y - inertia * before.y};
  const float scale =
      magnitudes[index] * rsqrtf(fmaxf(phase.x * phase.x + phase.y * phase.y, 1e-30F));
  estimate[index] = {phase.x * scale, phase.y * scale};
  previous[index] = now;
}

}  // namespace

cudaError_t run_cut_frames(const StftShape& shape, const float* samples, float* frames,
                           cudaStream_t stream) {
  cut_kernel<<<shape.rows(), kThreads, 0, stream>>>(shape, samples, frames);
  return cudaGetLastError();
}

cudaError_t run_join_frames(const StftShape& shape, const float* frames, float* samples,
                            cudaStream_t stream) {
  const int64_t count = static_cast<int64_t>(shape.batch) * shape.samples;
  join_kernel<<<blocks_for(count), kThreads, 0, stream>>>(shape, frames, samples);
  return cudaGetLastError();
}

cudaError_t run_mel_inverse(const StftShape& shape, const MelInverseShape& mel, const float* mels,
                            float* magnitudes, cudaStream_t stream) {
  const size_t bytes = static_cast<size_t>(mel.n_mels) * sizeof(float);
  mel_inverse_kernel<<<shape.rows(), kThreads, bytes, stream>>>(shape, mel, mels, magnitudes);
  return cudaGetLastError();
}

cudaError_t run_first_phases(const StftShape& shape, uint64_t seed, const float* magnitudes,
                             float2* estimate, float2* previous, cudaStream_t stream) {
  const int64_t count = static_cast<int64_t>(shape.rows()) * shape.bins();
  first_phase_kernel<<<blocks_for(count), kThreads, 0, stream>>>(shape, seed, magnitudes, estimate,
                                                                 previous);
  return cudaGetLastError();
}

cudaError_t run_improve(const StftShape& shape, float inertia, const float* magnitudes,
                        const float2* rebuilt, float2* estimate, float2* previous,
                        cudaStream_t stream) {
  const int64_t count = static_cast<int64_t>(shape.rows()) * shape.bins();
  improve_kernel<<<blocks_for(count), kThreads, 0, stream>>>(count, inertia, magnitudes, rebuilt,
                                                             estimate, previous);
  return cudaGetLastError();
}

}  // namespace seda::audio::detail
