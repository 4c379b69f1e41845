// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "seda/model/noise.h"

namespace seda::model {

/// Pieces of mels that show voices.
struct Reference {
  torch::Tensor mel;      ///< [batch, frames, n_mels] normalised
  torch::Tensor lengths;  ///< [batch]
};

/// For each row the nearest one after it, cyclically, with the same speaker; itself where there is
/// no other.  // [batch] → [batch] int64
torch::Tensor reference_rows(const torch::Tensor& speakers);

/// For each row a piece of the clip of its reference row: at most 192 frames, at a random place
/// inside the clip.
Reference draw_reference(const torch::Tensor& mel,          // [batch, frames, n_mels]
                         const torch::Tensor& mel_lengths,  // [batch]
                         const torch::Tensor& speakers,     // [batch]
                         const Noise& noise);

}  // namespace seda::model
