// SPDX-License-Identifier: Apache-2.0
#include "seda/speak/vocoder.h"

#include <algorithm>

#include "seda/audio/griffin_lim_cpu.h"
#include "seda/audio/griffin_lim_cuda.h"
#include "seda/audio/stft_cpu.h"
#include "seda/base/error.h"
#include "seda/base/parallel.h"
#include "seda/device/buffer.h"
#include "seda/device/copy.h"
#include "seda/device/upload.h"
#include "seda/model/hifigan_options.h"
#include "seda/model/vocos_options.h"
#include "seda/train/vocoder_checkpoint.h"

namespace seda::speak {
namespace {

constexpr audio::GriffinLimOptions kRounds{.iterations = 60};

class GriffinLimOnCpu final : public Vocoder {
 public:
  explicit GriffinLimOnCpu(const audio::MelOptions& options) : plan_(options) {}

  std::string name() const override { return kGriffinLim; }

  std::vector<std::vector<float>> apply(std::span<const model::MelData> mels) override {
    std::vector<std::vector<float>> sounds(mels.size());
    parallel_for(mels.size(), {.name = "vocoder"}, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i)
        if (mels[i].frames > 0) sounds[i] = speak(mels[i]);
    });
    return sounds;
  }

 private:
  std::vector<float> speak(const model::MelData& mel) const {
    std::vector<float> values = mel.values;
    const auto frames = static_cast<size_t>(mel.frames);
    return plan_.apply({values.data(), frames, frames}, kRounds);
  }

  audio::GriffinLimCpu plan_;
};

class GriffinLimOnCuda final : public Vocoder {
 public:
  GriffinLimOnCuda(const audio::MelOptions& options, device::MemoryResource& memory,
                   device::StreamView stream)
      : options_(options), memory_(memory), stream_(stream) {}

  std::string name() const override { return kGriffinLim; }

  /// All of them as one batch: a round is a few kernels, however many clips there are.
  std::vector<std::vector<float>> apply(std::span<const model::MelData> mels) override {
    std::vector<std::vector<float>> sounds(mels.size());
    const int frames = longest(mels);
    if (frames == 0) return sounds;
    const audio::GriffinLimCuda plan(options_, static_cast<int>(mels.size()), frames, memory_,
                                     stream_);
    const auto length = static_cast<size_t>(plan.stft().samples());
    std::vector<float> all(mels.size() * length);
    const auto input =
        device::upload(std::span<const float>(padded(mels, frames)), memory_, stream_);
    const device::Buffer samples(all.size() * sizeof(float), memory_, stream_);
    plan.apply(input.as<float>().data(), kRounds, samples.as<float>().data(), stream_);
    device::copy(device::on_host(all.data()), samples.location(), samples.bytes(), stream_);
    stream_.synchronize();
    for (size_t i = 0; i < mels.size(); ++i) {
      if (mels[i].frames == 0) continue;
      const float* first = all.data() + i * length;
      sounds[i].assign(first, first + audio::stft_samples(options_, mels[i].frames));
    }
    return sounds;
  }

 private:
  static int longest(std::span<const model::MelData> mels) {
    int frames = 0;
    for (const model::MelData& mel : mels)
      frames = std::max(frames, mel.frames);
    return frames;
  }

  /// Silence follows the shorter ones.  // [mels, n_mels, frames]
  std::vector<float> padded(std::span<const model::MelData> mels, int frames) const {
    const auto bands = static_cast<size_t>(options_.n_mels);
    const auto row = static_cast<size_t>(frames);
    std::vector<float> out(mels.size() * bands * row, audio::mel_silence(options_));
    for (size_t i = 0; i < mels.size(); ++i) {
      const auto own = static_cast<size_t>(mels[i].frames);
      for (size_t band = 0; band < bands; ++band)
        std::copy_n(mels[i].values.data() + band * own, own, out.data() + (i * bands + band) * row);
    }
    return out;
  }

  audio::MelOptions options_;
  device::MemoryResource& memory_;
  device::StreamView stream_;
};

class Neural final : public Vocoder {
 public:
  Neural(std::unique_ptr<train::NeuralVocoder> network, std::string name)
      : network_(std::move(network)), name_(std::move(name)) {}

  std::string name() const override { return name_; }

  std::vector<std::vector<float>> apply(std::span<const model::MelData> mels) override {
    return network_->apply(mels);
  }

 private:
  std::unique_ptr<train::NeuralVocoder> network_;
  std::string name_;
};

}  // namespace

std::unique_ptr<Vocoder> make_griffin_lim(const audio::MelOptions& options,
                                          device::MemoryResource& memory,
                                          device::StreamView stream) {
  if (stream.device().is_cpu()) return std::make_unique<GriffinLimOnCpu>(options);
  return std::make_unique<GriffinLimOnCuda>(options, memory, stream);
}

std::unique_ptr<Vocoder> make_neural_vocoder(std::unique_ptr<train::NeuralVocoder> network,
                                             const audio::MelOptions& options, std::string name) {
  if (network->n_mels() != options.n_mels || network->hop_length() != options.hop_length) {
    throw_error(ErrorKind::config,
                "vocoder {}: takes {} bands every {} samples, and the voice speaks {} every {}",
                name, network->n_mels(), network->hop_length(), options.n_mels, options.hop_length);
  }
  return std::make_unique<Neural>(std::move(network), std::move(name));
}

train::SafetensorsFile read_vocoder_file(const std::filesystem::path& path,
                                         const audio::MelOptions& options) {
  train::SafetensorsFile file(train::vocoder_weights(path));
  const train::TensorMetadata& metadata = file.metadata();
  model::check_vocoder_mel(model::is_vocos(metadata) ? model::read_vocos_metadata(metadata).mel
                                                     : model::read_hifigan_options(metadata).mel,
                           options);
  return file;
}

}  // namespace seda::speak
