// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "seda/model/conv_layer.h"
#include "seda/model/model_options.h"
#include "seda/model/sequence.h"

namespace seda::model {

/// The voice in a piece of a mel: three convolutions, mean and deviation over real frames, a linear
/// layer.
class ReferenceEncoderImpl : public torch::nn::Module {
 public:
  explicit ReferenceEncoderImpl(const ModelOptions& options);

  torch::Tensor forward(const torch::Tensor& mel,      // [batch, frames, n_mels] normalised
                        const torch::Tensor& lengths,  // [batch]
                        bool fused = false);           // → [batch, hidden]

 private:
  torch::nn::ModuleList layers_ = nullptr;
  torch::nn::Linear to_voice_ = nullptr;
};
TORCH_MODULE(ReferenceEncoder);

}  // namespace seda::model
