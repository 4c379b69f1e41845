// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "seda/train/engine.h"
#include "seda/train/safetensors.h"

namespace seda::train {

/// See Library::make_vocoder.
std::unique_ptr<NeuralVocoder> make_torch_vocoder(const SafetensorsFile& weights,
                                                  device::StreamView stream);

}  // namespace seda::train
