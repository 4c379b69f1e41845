// SPDX-License-Identifier: Apache-2.0
#include "seda/speak/studio.h"

#include <optional>

#include "seda/train/load_library.h"

namespace seda::speak {
namespace {

device::Device device_of(const std::string& word, const device::Platform& platform) {
  if (!word.empty()) return device::parse_device(word);
  return platform.has(device::cuda(0)) ? device::cuda(0) : device::kCpu;
}

}  // namespace

Studio::Studio(const train::Checkpoint& checkpoint, const std::string& vocoder,
               const std::string& device)
    : stream_(platform_, device_of(device, platform_)), memory_(platform_, stream_.device()) {
  const audio::MelOptions& mel = checkpoint.voice().mel;
  std::optional<train::SafetensorsFile> weights;
  if (vocoder != kGriffinLim) weights = read_vocoder_file(vocoder, mel);
  const train::Library& library = train::load_library();
  voice_ = library.make_voice({.model = checkpoint.voice().model,
                               .stream = stream_,
                               .mixed_precision = stream_.device().is_cuda()},
                              checkpoint.average());
  vocoder_ = weights ? make_neural_vocoder(library.make_vocoder(*weights, stream_), mel, vocoder)
                     : make_griffin_lim(mel, memory_, stream_);
}

}  // namespace seda::speak
