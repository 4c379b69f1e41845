// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <torch/torch.h>

#include "seda/model/voice_model.h"

namespace seda::train {

/// What the model says to all requests at once. The model is in eval mode; waits for the device.
///
/// A request without tokens, or with a token, speaker, language or reference that the model does
/// not have, is an Error(usage) that names its place.
std::vector<model::SpokenMel> speak_requests(model::VoiceModel& model, torch::Device device,
                                             std::span<const model::SpeechRequest> requests,
                                             const model::SpeechOptions& options);

}  // namespace seda::train
