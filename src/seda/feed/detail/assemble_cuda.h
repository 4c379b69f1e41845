// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

/// The kernels of FeaturizeCuda as plain functions: assemble.cu is compiled by nvcc and knows
/// nothing else of seda. Each `run_…` enqueues one kernel on the current device.
namespace seda::feed::detail {

/// What the kernels know, passed by value. Pointers are the device's; shapes as in BatchArrays and
/// PackedBatch.
struct AssembleTask {
  const void* sounds;
  const int32_t* tokens;
  const int64_t* sound_offsets;
  const int64_t* token_offsets;
  const int32_t* sound_lengths;
  const int32_t* mel_lengths;
  const int32_t* token_lengths;
  const int32_t* speakers;
  const int32_t* languages;

  float* out_mel;
  int32_t* out_tokens;
  uint8_t* out_mel_mask;
  uint8_t* out_token_mask;
  int32_t* out_mel_lengths;
  int32_t* out_token_lengths;
  int32_t* out_speakers;
  int32_t* out_languages;

  int batch;
  int frames;      ///< Of a row.
  int token_room;  ///< Likewise.
  int n_mels;
  float silence;
  int32_t pad_token;
  bool mels_are_made;  ///< From samples; where a clip's has more frames than are fed, they go.
  int n_fft;           ///< With the next two, how many those are.
  int hop_length;
  int padding;
};

/// Everything but the mels, and of these what `mels_are_made` says.
cudaError_t run_assemble(const AssembleTask& task, cudaStream_t stream);

/// Stored mels into their padded places.
cudaError_t run_place_mels(const AssembleTask& task, cudaStream_t stream);

}  // namespace seda::feed::detail
