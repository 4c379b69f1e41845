// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "seda/model/model_options.h"
#include "seda/model/noise.h"
#include "seda/model/speech_request.h"

namespace seda::model {

/// The arrays of a batch as tensors of the model's device; see feed::BatchArrays.
struct ModelBatch {
  torch::Tensor mel;            ///< [batch, n_mels, frames] fp32, log-mel as fed.
  torch::Tensor tokens;         ///< [batch, tokens] int32
  torch::Tensor mel_lengths;    ///< [batch] int32
  torch::Tensor token_lengths;  ///< [batch] int32
  torch::Tensor speakers;       ///< [batch] int32
  torch::Tensor languages;      ///< [batch] int32
};

/// Scalars, fp32.
struct ModelLosses {
  torch::Tensor total;
  torch::Tensor prior;
  torch::Tensor duration;
  torch::Tensor flow;
  torch::Tensor durations;  ///< [batch, tokens] int32; the alignment that was found.
};

/// What is to be said, as tensors.
struct SpeechBatch {
  torch::Tensor tokens;         ///< [batch, tokens] int32
  torch::Tensor token_lengths;  ///< [batch] int32
  torch::Tensor speakers;       ///< [batch] int32
  torch::Tensor languages;      ///< [batch] int32
  torch::Tensor references;     ///< [batch, n_mels, frames] log-mel; undefined: speakers' table.
  torch::Tensor reference_lengths;  ///< [batch] int32; 0: that row's speaker is of the table.
};

struct SpeechTensors {
  torch::Tensor mel;        ///< [batch, n_mels, frames] fp32 log-mel.
  torch::Tensor lengths;    ///< [batch] int32
  torch::Tensor durations;  ///< [batch, tokens] int32
};

/// The voice: text encoder, monotonic alignment, durations, and a decoder that is trained by
/// optimal-transport conditional flow matching.
///
/// Computes in the type of its weights (fp32 or bf16); losses, alignment and mels are fp32.
/// `losses` neither waits for the device nor allocates outside torch's allocator, and may be
/// captured in a CUDA graph once its shape has run.
class VoiceModelImpl : public torch::nn::Module {
 public:
  explicit VoiceModelImpl(const ModelOptions& options);

  const ModelOptions& options() const noexcept { return options_; }

  ModelLosses losses(const ModelBatch& batch, const Noise& noise);

  /// Not for training: call under a NoGradGuard and in eval mode. Waits for the device once, for
  /// the lengths.
  SpeechTensors speak(const SpeechBatch& batch, const SpeechOptions& options);

 private:
  ModelOptions options_;
};
TORCH_MODULE(VoiceModel);

}  // namespace seda::model
