// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/detail/assemble_cuda.h"

namespace seda::feed::detail {
namespace {

constexpr int kThreads = 256;
constexpr int kWarpSize = 32;
constexpr int kWarps = kThreads / kWarpSize;

/// Never more than the row has room for, whatever the lengths say.
__device__ __forceinline__ int fed(const int32_t* lengths, int clip, int room) {
  return min(max(lengths[clip], 0), room);
}

/// Frames of the mel that was made of so many samples (audio::mel_frames).
__device__ __forceinline__ int made_frames(const AssembleTask& task, int samples) {
  const int64_t room = static_cast<int64_t>(samples) + 2 * task.padding - task.n_fft;
  if (samples <= 0 || room < 0) return 0;
  return static_cast<int>(min(room / task.hop_length + 1, static_cast<int64_t>(task.frames)));
}

/// The mask of four places from `at` on, the first in the lowest byte.
__device__ __forceinline__ uint32_t mask_of_four(int at, int length) {
  const int ones = min(max(length - at, 0), 4);
  return ones == 4 ? 0x01010101U : 0x01010101U & ((1U << (8 * ones)) - 1U);
}

/// `length` ones, then zeros. Rows that begin at multiples of four are written by fours.
__device__ void write_mask(uint8_t* mask, int clip, int length, int room) {
  uint8_t* const row = mask + static_cast<int64_t>(clip) * room;
  if (room % 4 == 0 && reinterpret_cast<uintptr_t>(mask) % 4 == 0) {
    for (int i = threadIdx.x; i < room / 4; i += kThreads)
      reinterpret_cast<uint32_t*>(row)[i] = mask_of_four(4 * i, length);
    return;
  }
  for (int i = threadIdx.x; i < room; i += kThreads)
    row[i] = i < length ? 1 : 0;
}

__device__ void write_tokens(const AssembleTask& task, int clip, int length) {
  const int32_t* const from = task.tokens + task.token_offsets[clip];
  int32_t* const to = task.out_tokens + static_cast<int64_t>(clip) * task.token_room;
  for (int i = threadIdx.x; i < task.token_room; i += kThreads)
    to[i] = i < length ? from[i] : task.pad_token;
}

/// Silences the frames that were made of a clip and are not fed.
__device__ void silence_rest(const AssembleTask& task, int clip, int length) {
  const int count = made_frames(task, task.sound_lengths[clip]) - length;
  if (count <= 0) return;
  float* const mel = task.out_mel + static_cast<int64_t>(clip) * task.n_mels * task.frames;
  for (int i = threadIdx.x; i < task.n_mels * count; i += kThreads)
    mel[static_cast<int64_t>(i / count) * task.frames + length + i % count] = task.silence;
}

/// One block for each clip.
__global__ void __launch_bounds__(kThreads) assemble_kernel(AssembleTask task) {
  const int clip = blockIdx.x;
  const int frames = fed(task.mel_lengths, clip, task.frames);
  const int tokens = fed(task.token_lengths, clip, task.token_room);
  write_tokens(task, clip, tokens);
  write_mask(task.out_token_mask, clip, tokens, task.token_room);
  write_mask(task.out_mel_mask, clip, frames, task.frames);
  if (task.mels_are_made) silence_rest(task, clip, frames);
  if (threadIdx.x != 0) return;
  task.out_mel_lengths[clip] = frames;
  task.out_token_lengths[clip] = tokens;
  task.out_speakers[clip] = task.speakers[clip];
  task.out_languages[clip] = task.languages[clip];
}

/// One warp for each band of each clip.
__global__ void __launch_bounds__(kThreads) place_mels_kernel(AssembleTask task) {
  const int clip = blockIdx.x;
  const int band = blockIdx.y * kWarps + threadIdx.x / kWarpSize;
  if (band >= task.n_mels) return;
  const int stride = task.sound_lengths[clip];
  const int length = min(fed(task.mel_lengths, clip, task.frames), stride);
  const float* const from = static_cast<const float*>(task.sounds) + task.sound_offsets[clip] +
                            static_cast<int64_t>(band) * stride;
  float* const to = task.out_mel + (static_cast<int64_t>(clip) * task.n_mels + band) * task.frames;
#pragma unroll 4
  for (int t = threadIdx.x % kWarpSize; t < task.frames; t += kWarpSize)
    to[t] = t < length ? from[t] : task.silence;
}

}  // namespace

cudaError_t run_assemble(const AssembleTask& task, cudaStream_t stream) {
  assemble_kernel<<<static_cast<unsigned>(task.batch), kThreads, 0, stream>>>(task);
  return cudaGetLastError();
}

cudaError_t run_place_mels(const AssembleTask& task, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>(task.batch),
                  static_cast<unsigned>((task.n_mels + kWarps - 1) / kWarps));
  place_mels_kernel<<<grid, kThreads, 0, stream>>>(task);
  return cudaGetLastError();
}

}  // namespace seda::feed::detail
