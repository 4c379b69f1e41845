// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "seda/train/safetensors.h"
#include "seda/train/voice.h"

namespace seda::train {

/// See Library::make_voice.
std::unique_ptr<Voice> make_torch_voice(const VoiceOptions& options,
                                        const SafetensorsFile& weights);

}  // namespace seda::train
