// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/voice_torch.h"

#include <array>

#include "seda/train/engine/batch_tensors.h"
#include "seda/train/engine/parameter_layout.h"
#include "seda/train/engine/speech_tensors.h"
#include "seda/train/engine/torch_device.h"
#include "seda/train/engine/torch_errors.h"
#include "seda/train/engine/training_state.h"

namespace seda::train {
namespace {

/// The model with weights of a file, ready to speak.
model::VoiceModel loaded_model(const VoiceOptions& options, const SafetensorsFile& weights) {
  const torch::NoGradGuard no_grad;
  const torch::Device device = torch_device(options.stream.device());
  model::VoiceModel model(options.model);
  const ParameterLayout layout(*model);
  refuse_foreign(layout, weights, std::array{std::string_view()}, {});
  const auto type = options.mixed_precision ? torch::kBFloat16 : torch::kFloat32;
  const auto flat = read_flat(layout, weights, "").to(device, type);
  model->to(device);
  auto parameters = model->named_parameters();
  for (const ParameterSlot& slot : layout.slots())
    parameters[slot.name].set_data(ParameterLayout::view(flat, slot));
  if (device.is_cpu()) model->set_heed(options.heed);
  model->eval();
  return model;
}

class TorchVoice final : public Voice {
 public:
  TorchVoice(const VoiceOptions& options, const SafetensorsFile& weights)
      : options_(options), model_(loaded_model(options, weights)) {}

  ModelFacts facts() const override {
    ModelFacts facts;
    for (const torch::Tensor& parameter : model_->parameters()) {
      facts.parameters += parameter.numel();
      facts.weight_bytes += parameter.nbytes();
    }
    return facts;
  }

  std::vector<model::SpokenMel> speak(std::span<const model::SpeechRequest> requests,
                                      const model::SpeechOptions& options) override {
    const TorchWork work{.what = "speech",
                         .device = options_.stream.device(),
                         .memory_limit_bytes = 0,
                         .largest = {}};
    return in_torch(work, [&] {
      const StreamScope scope(options_.stream);
      return speak_requests(model_, torch_device(options_.stream.device()), requests, options);
    });
  }

 private:
  VoiceOptions options_;
  model::VoiceModel model_;
};

}  // namespace

std::unique_ptr<Voice> make_torch_voice(const VoiceOptions& options,
                                        const SafetensorsFile& weights) {
  model::check(options.model);
  const TorchWork work{.what = "loading the voice",
                       .device = options.stream.device(),
                       .memory_limit_bytes = 0,
                       .largest = {}};
  return in_torch(work, [&]() -> std::unique_ptr<Voice> {
    const StreamScope scope(options.stream);
    return std::make_unique<TorchVoice>(options, weights);
  });
}

}  // namespace seda::train
