// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include <torch/torch.h>

#include "seda/model/decoder.h"
#include "seda/model/duration_predictor.h"
#include "seda/model/model_options.h"
#include "seda/model/noise.h"
#include "seda/model/phases.h"
#include "seda/model/reference_encoder.h"
#include "seda/model/sequence.h"
#include "seda/model/speech_request.h"
#include "seda/model/tensor_aligner.h"
#include "seda/model/text_encoder.h"

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
/// captured in a CUDA graph once its shape has run. In training mode rows lose their condition
/// (1 in 10) and take their speaker from a piece of a mel instead of the table (1 in 2), things are
/// dropped, and the first alignments are led along the diagonal; in eval mode none of it is done.
class VoiceModelImpl : public torch::nn::Module {
 public:
  explicit VoiceModelImpl(const ModelOptions& options);

  const ModelOptions& options() const noexcept { return options_; }

  /// Layers take their fused kernels where they have some: on a GPU, in fp32 and bf16.
  void set_fused(bool fused) noexcept { fused_ = fused; }

  /// Called between layers as they are computed, and as their gradients are: what it throws ends
  /// that. Not while a CUDA graph is captured.
  void set_heed(std::function<void()> heed) { heed_ = std::move(heed); }

  /// `phases`, if given, hears of each change between networks and loss.
  ModelLosses losses(const ModelBatch& batch, const Noise& noise, PhaseListener* phases = nullptr);

  /// Not for training: call under a NoGradGuard and in eval mode. Waits for the device once, for
  /// the lengths.
  SpeechTensors speak(const SpeechBatch& batch, const SpeechOptions& options);

 private:
  torch::TensorOptions weights() const;
  bool takes_fused_kernels() const;
  Sequence sequence_of(const torch::Tensor& lengths, int64_t time, const Noise* noise) const;
  /// Mel as the model sees it, 0 where padding is.  // [batch, frames, n_mels] exact
  torch::Tensor normalised(const torch::Tensor& mel, const torch::Tensor& real) const;
  torch::Tensor training_speaker(const ModelBatch& batch, const torch::Tensor& mel,
                                 const Noise& noise);
  torch::Tensor spoken_speaker(const SpeechBatch& batch);
  torch::Tensor align(const ModelBatch& batch, const torch::Tensor& mean, const torch::Tensor& mel,
                      const Noise& noise);
  torch::Tensor flow_loss(const torch::Tensor& mel, const Condition& condition,
                          const Sequence& speech, const Noise& noise, PhaseListener* phases);
  torch::Tensor spoken_mel(const Condition& condition, const Sequence& speech,
                           const SpeechOptions& options);

  ModelOptions options_;
  bool fused_ = false;
  std::function<void()> heed_;
  TensorAligner aligner_;
  torch::nn::Embedding speakers_ = nullptr;
  ReferenceEncoder reference_encoder_ = nullptr;
  TextEncoder text_encoder_ = nullptr;
  DurationPredictor duration_predictor_ = nullptr;
  Decoder decoder_ = nullptr;
};
TORCH_MODULE(VoiceModel);

}  // namespace seda::model
