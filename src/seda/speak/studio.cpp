// SPDX-License-Identifier: Apache-2.0
#include "seda/speak/studio.h"

#include "seda/base/cpu.h"
#include "seda/base/interrupt.h"
#include "seda/train/load_library.h"

namespace seda::speak {
namespace {

device::Device device_of(const std::string& word, const device::Platform& platform) {
  if (!word.empty()) return device::parse_device(word);
  return platform.has(device::cuda(0)) ? device::cuda(0) : device::kCpu;
}

}  // namespace

bool bf16_is_faster(device::Device device) {
  return device.is_cuda() || cpu_info().bf16;
}

Studio::Studio(const train::Checkpoint& checkpoint, const StudioOptions& options)
    : stream_(platform_, device_of(options.device, platform_)),
      memory_(platform_, stream_.device()),
      mixed_precision_(options.mixed_precision.value_or(bf16_is_faster(stream_.device()))) {
  const audio::MelOptions& mel = checkpoint.voice().mel;
  std::optional<train::SafetensorsFile> weights;
  if (options.vocoder != kGriffinLim) weights = read_vocoder_file(options.vocoder, mel);
  const train::Library& library = train::load_library();
  voice_ = library.make_voice({.model = checkpoint.voice().model,
                               .stream = stream_,
                               .mixed_precision = mixed_precision_,
                               .heed = throw_if_interrupted},
                              checkpoint.average());
  if (!weights) {
    vocoder_ = make_griffin_lim(mel, memory_, stream_);
    return;
  }
  auto network = library.make_vocoder(
      {.stream = stream_, .mixed_precision = mixed_precision_, .heed = throw_if_interrupted},
      *weights);
  vocoder_ = make_neural_vocoder(std::move(network), mel, options.vocoder);
}

}  // namespace seda::speak
