// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "seda/audio/mel_options.h"
#include "seda/device/memory_resource.h"
#include "seda/device/stream.h"
#include "seda/model/speech_request.h"
#include "seda/train/neural_vocoder.h"
#include "seda/train/safetensors.h"

namespace seda::speak {

/// Sound from mels of one definition. One thread; each call waits for its result.
class Vocoder {
 public:
  virtual ~Vocoder() = default;

  virtual std::string name() const = 0;
  virtual std::vector<std::vector<float>> apply(std::span<const model::MelData> mels) = 0;
};

/// The word that stands for `make_griffin_lim`; any other is a file of weights or a folder.
constexpr const char* kGriffinLim = "griffin_lim";

/// Griffin-Lim: 60 rounds, no weights. On a GPU all clips at once, on the CPU one for each core.
/// `memory` is of the stream's device; it and the stream outlive this.
std::unique_ptr<Vocoder> make_griffin_lim(const audio::MelOptions& options,
                                          device::MemoryResource& memory,
                                          device::StreamView stream);

/// A network, which must have been trained on such mels: by its bands and hop here, by the rest
/// where its file is read (`read_vocoder_file`). Error(config) otherwise.
std::unique_ptr<Vocoder> make_neural_vocoder(std::unique_ptr<train::NeuralVocoder> network,
                                             const audio::MelOptions& options, std::string name);

/// Opens weights of a vocoder that seda trained (a file, a checkpoint, or a run's folder: its best,
/// else its newest) or of a HiFi-GAN generator, and holds the mels it was trained on against
/// `options`: Error(io) where it is neither, Error(config) where they differ. Needs no torch.
train::SafetensorsFile read_vocoder_file(const std::filesystem::path& path,
                                         const audio::MelOptions& options);

}  // namespace seda::speak
