// SPDX-License-Identifier: Apache-2.0
#include "seda/model/reference.h"

#include <algorithm>

namespace seda::model {
namespace {

constexpr int64_t kMostFrames = 192;

}  // namespace

torch::Tensor reference_rows(const torch::Tensor& speakers) {
  const int64_t batch = speakers.size(0);
  const auto rows = torch::arange(batch, speakers.options().dtype(torch::kInt64));
  // Steps from row i on to row j, from 1 to batch: back to the row itself after all others.
  const auto steps = (rows.unsqueeze(0) - rows.unsqueeze(1) + batch - 1).remainder(batch) + 1;
  const auto other = speakers.unsqueeze(0) != speakers.unsqueeze(1);
  const auto nearest = std::get<0>(steps.masked_fill(other, batch).min(1));
  return (rows + nearest).remainder(batch);
}

Reference draw_reference(const torch::Tensor& mel, const torch::Tensor& mel_lengths,
                         const torch::Tensor& speakers, const Noise& noise) {
  const int64_t batch = mel.size(0);
  const int64_t frames = mel.size(1);
  const int64_t size = std::min(frames, kMostFrames);
  const auto rows = reference_rows(speakers);
  const auto clip_lengths = mel_lengths.to(torch::kInt64).index_select(0, rows);
  const auto lengths = clip_lengths.clamp_max(size);
  const auto where = noise.uniform({batch}, NoiseUse::reference_place);
  const auto begins = (where * (clip_lengths - lengths + 1)).to(torch::kInt64);
  const auto places = begins.unsqueeze(1) + torch::arange(size, rows.options());
  const auto flat = rows.unsqueeze(1) * frames + places.clamp_max(frames - 1);  // [batch, size]
  const auto pieces = mel.reshape({batch * frames, -1}).index_select(0, flat.flatten());
  return {pieces.view({batch, size, -1}), lengths};
}

}  // namespace seda::model
