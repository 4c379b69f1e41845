// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <torch/torch.h>

#include "seda/model/conv_layer.h"
#include "seda/model/model_options.h"
#include "seda/model/sequence.h"

namespace seda::model {

/// Logarithm of each token's frames, of its state and the speaker: two convolutions and a linear
/// layer, fp32.
class DurationPredictorImpl : public torch::nn::Module {
 public:
  /// Takes the dropout sites `first_site` and the next.
  DurationPredictorImpl(const ModelOptions& options, uint32_t first_site);

  torch::Tensor forward(const torch::Tensor& hidden,   // [batch, tokens, hidden]
                        const torch::Tensor& speaker,  // [batch, hidden]
                        const Sequence& sequence);     // → [batch, tokens]

 private:
  torch::nn::Linear speaker_ = nullptr;
  ConvLayer first_ = nullptr;
  ConvLayer second_ = nullptr;
  torch::nn::Linear to_log_ = nullptr;
};
TORCH_MODULE(DurationPredictor);

/// Mean of (log_durations - log max(durations, 1))² over real tokens.
torch::Tensor duration_loss(const torch::Tensor& log_durations,  // [batch, tokens]
                            const torch::Tensor& durations,      // [batch, tokens]
                            const torch::Tensor& real);          // [batch, tokens] bool

/// Frames to speak with: round(exp(log_durations) / rate), from 1 to 500 for a real token, else 0.
/// [batch, tokens] int32
torch::Tensor spoken_durations(const torch::Tensor& log_durations, double rate,
                               const torch::Tensor& real);

}  // namespace seda::model
