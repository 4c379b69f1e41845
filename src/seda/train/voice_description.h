// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "seda/audio/mel_options.h"
#include "seda/base/json.h"
#include "seda/config/config.h"
#include "seda/model/model_options.h"

namespace seda::train {

/// What a voice is beside its weights: all that is needed to speak with it.
struct VoiceDescription {
  model::ModelOptions model;
  audio::MelOptions mel;
  std::string tokenizer;               ///< Its artefact, as JSON text.
  config::Config config;               ///< Of the run that made it; says how text is read.
  std::string language;                ///< Of lines too short to tell.
  std::vector<std::string> speakers;   ///< By their numbers.
  std::vector<std::string> languages;  ///< By their numbers.
};

Json describe(const VoiceDescription& voice);

/// Reads `describe` back; a missing or foreign value is an Error(io) that names `where`.
VoiceDescription read_voice_description(const Json& description, const std::string& where);

/// Why weights of `found` do not fit a run that wants `wanted`: a line for each value that differs
/// in the model, the mel, the tokenizer, the speakers or the languages. Empty where they do.
std::vector<std::string> differences(const VoiceDescription& found, const VoiceDescription& wanted);

}  // namespace seda::train
