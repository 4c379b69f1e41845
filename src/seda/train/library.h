// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "seda/train/engine.h"
#include "seda/train/neural_vocoder.h"
#include "seda/train/vocoder_engine.h"
#include "seda/train/voice.h"

namespace seda::train {

/// What the loaded torch says of itself.
struct TorchInfo {
  std::string version;        ///< "2.11.0"
  int cuda_version = 0;       ///< 13000 for 13.0; 0 where torch sees no GPU.
  int64_t cudnn_version = 0;  ///< 91002; 0 likewise.
  int cuda_devices = 0;       ///< GPUs that torch can use here.
  int threads = 0;            ///< Of its CPU operators.
};

/// The trainer: what is built with torch, behind an interface that needs none of its headers.
///
/// Lives in libseda_train.so, loaded on demand (load_library.h) so that the program itself starts
/// without torch. Thread-safe.
class Library {
 public:
  virtual ~Library() = default;

  virtual TorchInfo torch_info() const = 0;

  /// Computes a least-squares gradient with autograd on `device` ("cpu", "cuda:0") and returns its
  /// largest distance from the closed form, relative to the largest gradient. About 1e-6 where
  /// torch works.
  virtual double gradient_error(const std::string& device) const = 0;

  /// A new model with weights of the seed. Joins the other ranks, where there are some: an
  /// Error(unavailable) says who did not come.
  virtual std::unique_ptr<Engine> make_engine(const EngineOptions& options) const = 0;

  /// The model whose averaged weights are in `weights`.
  virtual std::unique_ptr<Voice> make_voice(const VoiceOptions& options,
                                            const SafetensorsFile& weights) const = 0;

  /// A new vocoder with weights of the seed.
  virtual std::unique_ptr<VocoderEngine> make_vocoder_engine(
      const VocoderEngineOptions& options) const = 0;

  /// A vocoder that `VocoderEngine` trained, or a HiFi-GAN generator of the published layout: the
  /// metadata of the file says which.
  virtual std::unique_ptr<NeuralVocoder> make_vocoder(const VocoderOptions& options,
                                                      const SafetensorsFile& weights) const = 0;
};

/// Both sides of the border are compiled with this number; it changes with anything in this header.
inline constexpr int kLibraryInterface = 8;

}  // namespace seda::train
