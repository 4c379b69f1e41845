// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <torch/torch.h>

namespace seda::model {

/// How likely each frame is for each token: -½ Σ (mel - mean)² over the mels, fp32.
/// [batch, tokens, frames]
///
/// One matrix product, in full fp32 whatever torch is allowed otherwise.
torch::Tensor log_likelihood(const torch::Tensor& mean,  // [batch, tokens, n_mels]
                             const torch::Tensor& mel);  // [batch, frames, n_mels]

/// Leads the first alignments along the diagonal: -w · ((s + ½) / tokens - (t + ½) / frames)², with
/// w falling from 500 to 0 in the first 1,000 updates.  // [batch, tokens, frames] fp32
struct DiagonalInput {
  torch::Tensor token_lengths;  ///< [batch]
  torch::Tensor frame_lengths;  ///< [batch]
  int64_t tokens = 0;
  int64_t frames = 0;
  torch::Tensor update;  ///< int64 scalar on the device.
};
torch::Tensor diagonal_prior(const DiagonalInput& input);

/// 1 where a frame belongs to a token, else 0; a frame beyond all durations belongs to none. Bool.
/// durations: [batch, tokens] → [batch, frames, tokens]
torch::Tensor alignment_path(const torch::Tensor& durations, int64_t frames);

/// States of tokens, each for all frames of its own.  // [batch, frames, channels]
///
/// A matrix product: the gradient of a gather would add in any order.
torch::Tensor upsample(const torch::Tensor& states,  // [batch, tokens, channels]
                       const torch::Tensor& path);   // [batch, frames, tokens] bool

}  // namespace seda::model
