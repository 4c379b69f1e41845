// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "seda/train/neural_vocoder.h"
#include "seda/train/safetensors.h"

namespace seda::train {

/// The generator whose weights are in `weights`, on the device of the stream: one that seda trained
/// (model::is_vocos, fp32), or a HiFi-GAN (fp32, fp16 or bf16; weight norm may be there), which
/// computes in fp32 whatever the options say. Tensors that are missing, foreign or of another shape
/// are an Error(io).
///
/// Mels of like length are computed together on a GPU, one after another on the CPU; what a mel
/// becomes does not depend on its neighbours, but for the rounding of the convolutions chosen.
std::unique_ptr<NeuralVocoder> make_torch_vocoder(const VocoderOptions& options,
                                                  const SafetensorsFile& weights);

}  // namespace seda::train
