// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include "seda/model/mel_torch.h"
#include "seda/model/noise.h"
#include "seda/train/vocoder_engine.h"

namespace seda::train {

/// Pieces of equal length of clips.
struct Crops {
  torch::Tensor sounds;  ///< [rows, frames · hop_length] fp32
  torch::Tensor mels;    ///< [rows, n_mels, frames] Of the whole clips: what lies around counts.
};

/// Cuts pieces out of sounds, on the device: nothing is read on the host.
///
/// A clip goes on mirrored before its begin and after its end, as its mel has it; so a piece of a
/// clip that is shorter is that clip and its mirror image.
class CropSource {
 public:
  /// `mel` outlives it.
  CropSource(const SoundBank& sounds, const model::MelTorch& mel, int64_t frames,
             torch::Device device);

  /// Pieces that begin anywhere, each sample of all clips as likely to be the first as any other.
  Crops draw(int64_t rows, const model::Noise& noise) const;

  /// The middles of clips.  // [rows] int64, on the device
  Crops middles(const torch::Tensor& clips) const;

  int64_t clips() const { return lengths_.size(0); }

 private:
  Crops cut(const torch::Tensor& clips, const torch::Tensor& starts) const;

  const model::MelTorch& mel_;
  int64_t frames_;
  torch::Tensor samples_;  // [count] int16
  torch::Tensor begins_;   // [clips] int64
  torch::Tensor lengths_;  // [clips] int64
  torch::Tensor rooms_;    // [clips] int64: places a piece may begin at,
  torch::Tensor ends_;     // [clips] int64: their running sum,
  double places_ = 0;      // and all of them
};

}  // namespace seda::train
