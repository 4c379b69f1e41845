// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/crops.h"

#include <algorithm>

#include "seda/base/error.h"

namespace seda::train {
namespace {

constexpr double kSampleScale = 1.0 / 32768;
constexpr double kFine = 1.0 / (1 << 24);  // a uniform number has 24 bits

torch::Tensor samples_of(const SoundBank& sounds, torch::Device device) {
  if (sounds.begins.empty() || sounds.begins.size() != sounds.lengths.size()) {
    throw_error(ErrorKind::internal, "sounds: expected clips with begins and lengths, found {} {}",
                sounds.begins.size(), sounds.lengths.size());
  }
  // Page-locked memory of the host is read by a GPU as if it were its own.
  return at::for_blob(const_cast<int16_t*>(sounds.samples), {sounds.count})  // NOLINT: only read
      .target_device(device)
      .options(torch::TensorOptions().dtype(torch::kInt16).device(device))
      .make_tensor();
}

torch::Tensor integers(const std::vector<int64_t>& values, torch::Device device) {
  return torch::tensor(values, torch::kInt64).to(device);
}

/// Places in a clip that goes on mirrored, as places within it.  // both of one shape, or broadcast
torch::Tensor inside(const torch::Tensor& places, const torch::Tensor& lengths) {
  const auto round = (2 * lengths - 2).clamp_min(1);
  const auto in_round = torch::remainder(places, round);
  return torch::minimum(in_round, round - in_round).minimum(lengths - 1);
}

}  // namespace

CropSource::CropSource(const SoundBank& sounds, const model::MelTorch& mel, int64_t frames,
                       torch::Device device)
    : mel_(mel),
      frames_(frames),
      samples_(samples_of(sounds, device)),
      begins_(integers(sounds.begins, device)),
      lengths_(integers(sounds.lengths, device)) {
  const int64_t length = frames * mel.options().hop_length;
  rooms_ = (lengths_ - length + 1).clamp_min(1);
  ends_ = rooms_.cumsum(0);
  for (const int64_t one : sounds.lengths)
    places_ += static_cast<double>(std::max<int64_t>(one - length + 1, 1));
}

Crops CropSource::draw(int64_t rows, const model::Noise& noise) const {
  const auto numbers = noise.uniform({rows, 2}, model::NoiseUse::crop).to(torch::kFloat64);
  const auto share = numbers.select(1, 0) + numbers.select(1, 1) * kFine;  // [0, 1)
  const auto place =
      (share * places_).to(torch::kInt64).clamp_max(static_cast<int64_t>(places_) - 1);
  const auto clips = torch::searchsorted(ends_, place, /*out_int32=*/false, /*right=*/true);
  const auto starts = place - ends_.index_select(0, clips) + rooms_.index_select(0, clips);
  return cut(clips, starts);
}

Crops CropSource::middles(const torch::Tensor& clips) const {
  return cut(clips, (rooms_.index_select(0, clips) - 1).div(2, "floor"));
}

Crops CropSource::cut(const torch::Tensor& clips, const torch::Tensor& starts) const {
  const audio::MelOptions& mel = mel_.options();
  const int64_t pad = audio::mel_padding(mel);
  const int64_t length = frames_ * mel.hop_length;
  const int64_t covered = (frames_ - 1) * mel.hop_length + mel.n_fft;  // by the frames of the mel
  const auto steps = torch::arange(std::max(covered, pad + length), starts.options()) - pad;
  const auto places = inside(starts.unsqueeze(1) + steps,
                             lengths_.index_select(0, clips).unsqueeze(1));  // [rows, steps]
  const auto from = (begins_.index_select(0, clips).unsqueeze(1) + places).flatten();
  const auto around =
      samples_.index_select(0, from).view(places.sizes()).to(torch::kFloat32) * kSampleScale;
  return {.sounds = around.narrow(1, pad, length).contiguous(),
          .mels = mel_.apply_padded(around.narrow(1, 0, covered))};
}

}  // namespace seda::train
