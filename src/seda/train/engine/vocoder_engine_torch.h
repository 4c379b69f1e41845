// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "seda/train/vocoder_engine.h"

namespace seda::train {

/// A new vocoder with weights of the seed.
std::unique_ptr<VocoderEngine> make_torch_vocoder_engine(const VocoderEngineOptions& options);

}  // namespace seda::train
