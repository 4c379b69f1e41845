// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "seda/audio/mel_options.h"
#include "seda/device/memory_resource.h"
#include "seda/device/stream.h"

namespace seda::audio {

enum class SampleType { pcm16, float32 };  ///< 16-bit samples count as x / 32768.
enum class MelType { float32, bfloat16 };

/// Clips in the memory of a GPU. Every pointer is the device's.
struct MelInput {
  const void* samples = nullptr;
  SampleType type = SampleType::pcm16;
  const int64_t* offsets = nullptr;  ///< [batch] Where each clip begins, in samples.
  const int32_t* lengths = nullptr;  ///< [batch] Samples of each clip.
  int batch = 0;
};

/// Where the spectrograms go: `[batch, n_mels, frames]` in the memory of the same GPU.
///
/// A clip with fewer frames is padded, one with more is cut.
struct MelOutput {
  void* data = nullptr;
  MelType type = MelType::float32;
  int frames = 0;
  std::optional<float> pad_value;  ///< Of frames beyond a clip's own; default `mel_silence`.
};

/// How the Fourier transforms are made.
///
/// warp: a kernel in which each warp transforms two frames in registers; n_fft 1024.
/// block: a kernel in which each block transforms two frames at a time in shared memory; n_fft up
/// to 4096.
/// cufft: three kernels around NVIDIA's library, opened at run time; any n_fft, and the check of
/// the other two.
enum class MelKernel { warp, block, cufft };

/// Log-mel spectrograms of a batch of clips of any lengths, on a GPU.
///
/// Plans once per options. `apply` only enqueues on `stream`: it neither allocates nor
/// synchronizes, and may be captured in a CUDA graph. Equals the definition (`MelOptions`) to 3e-4
/// where that is above -9, with `cufft` to 1e-3 (tests/audio/mel_cuda_test.cpp). Thread-safe, but
/// for `cufft`, whose buffers serve one stream at a time.
class MelCuda {
 public:
  /// Takes the tables, and for `cufft` its buffers, from `resource`, which is of the GPU of
  /// `stream` and outlives this. Without `kernel`: the fastest that can. Error(config) where the
  /// kernel cannot do that size; Error(unavailable) in a build without CUDA, or where cuFFT is
  /// wanted and not there.
  MelCuda(const MelOptions& options, device::MemoryResource& resource, device::StreamView stream,
          std::optional<MelKernel> kernel = {});
  ~MelCuda();
  MelCuda(MelCuda&&) noexcept;
  MelCuda& operator=(MelCuda&&) noexcept;

  const MelOptions& options() const noexcept { return options_; }
  MelKernel kernel() const noexcept { return kernel_; }

  /// At most 65,535 clips of 2^30 samples at a time, else Error(usage).
  void apply(const MelInput& input, const MelOutput& output, device::StreamView stream) const;

 private:
  struct Plan;

  MelOptions options_;
  MelKernel kernel_ = MelKernel::block;
  std::unique_ptr<Plan> plan_;
};

}  // namespace seda::audio
