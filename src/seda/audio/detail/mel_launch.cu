// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/detail/mel_block_kernel.cuh"
#include "seda/audio/detail/mel_cufft_kernel.cuh"
#include "seda/audio/detail/mel_launch_cuda.h"
#include "seda/audio/detail/mel_warp_kernel.cuh"

namespace seda::audio::detail {
namespace {

constexpr int kWarpTransform = 1024;
constexpr int kMostBlockTransform = 4096;
constexpr size_t kMostShared = 227 << 10;  // of a block, on Hopper

using WarpKernel = void (*)(MelTask);

int warp_rows(const MelTask& task) {
  return task.bins <= 12 * 32 ? 12 : 16;
}

WarpKernel warp_kernel(const MelTask& task) {
  const bool quarter = task.hop_length == 8 * 32;
  if (warp_rows(task) == 12) return quarter ? mel_warp_kernel<12, 8> : mel_warp_kernel<12, 0>;
  return quarter ? mel_warp_kernel<16, 8> : mel_warp_kernel<16, 0>;
}

size_t block_bytes(const MelTask& task) {
  return block_kernel_bytes(task.n_fft, task.bins, task.n_mels);
}

size_t band_bytes(const MelTask& task) {
  return block_kernel_bytes(0, task.bins, task.n_mels);
}

template <typename Kernel>
cudaError_t allow_shared(Kernel kernel, size_t bytes) {
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(bytes));
}

dim3 grid_of(const MelTask& task, int frames) {
  return dim3(static_cast<unsigned>((task.frames + frames - 1) / frames),
              static_cast<unsigned>(task.batch));
}

}  // namespace

bool warp_kernel_can(const MelTask& task) {
  return task.n_fft == kWarpTransform && task.bins <= kWarpTransform / 2 &&
         kWarpBytes <= kMostShared;
}

bool block_kernel_can(const MelTask& task) {
  return task.n_fft <= kMostBlockTransform && block_bytes(task) <= kMostShared;
}

cudaError_t plan_warp(const MelTask& task) {
  return allow_shared(warp_kernel(task), kWarpBytes);
}

cudaError_t plan_block(const MelTask& task) {
  return allow_shared(mel_block_kernel, block_bytes(task));
}

cudaError_t plan_bands(const MelTask& task) {
  return allow_shared(band_kernel, band_bytes(task));
}

cudaError_t run_warp(const MelTask& task, cudaStream_t stream) {
  const WarpKernel kernel = warp_kernel(task);
  kernel<<<grid_of(task, kWarpFrames), kBlockThreads, kWarpBytes, stream>>>(task);
  return cudaGetLastError();
}

cudaError_t run_block(const MelTask& task, const Radices& radices, cudaStream_t stream) {
  mel_block_kernel<<<grid_of(task, kBlockFrames), kBlockThreads, block_bytes(task), stream>>>(
      task, radices);
  return cudaGetLastError();
}

cudaError_t run_frames(const MelTask& task, const RowRange& rows, float* frames,
                       cudaStream_t stream) {
  frame_kernel<<<rows.count, kBlockThreads, 0, stream>>>(task, rows, frames);
  return cudaGetLastError();
}

cudaError_t run_bands(const MelTask& task, const RowRange& rows, const float2* spectra,
                      cudaStream_t stream) {
  band_kernel<<<rows.count / kBlockFrames, kBlockThreads, band_bytes(task), stream>>>(task, rows,
                                                                                      spectra);
  return cudaGetLastError();
}

}  // namespace seda::audio::detail
