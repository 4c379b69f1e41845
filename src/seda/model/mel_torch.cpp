// SPDX-License-Identifier: Apache-2.0
#include "seda/model/mel_torch.h"

#include <cmath>

#include "seda/audio/mel_tables.h"
#include "seda/base/error.h"

namespace seda::model {
namespace {

/// Added to squared magnitudes: far below any floor, and the root has a gradient at silence.
constexpr double kLeastSquare = 1e-14;

torch::Tensor window_tensor(const audio::MelOptions& options) {
  return torch::tensor(audio::mel_window(options), torch::kFloat64);
}

torch::Tensor band_tensor(const audio::MelOptions& options) {
  auto bands = torch::zeros({options.n_fft / 2 + 1, options.n_mels}, torch::kFloat64);
  auto values = bands.accessor<double, 2>();
  const auto all = audio::mel_bands(options);
  for (size_t band = 0; band < all.size(); ++band) {
    for (size_t i = 0; i < all[band].weights.size(); ++i) {
      values[all[band].first + static_cast<int64_t>(i)][static_cast<int64_t>(band)] =
          all[band].weights[i];
    }
  }
  return bands;
}

}  // namespace

torch::Tensor mirrored(const torch::Tensor& samples, int64_t before, int64_t after) {
  const int64_t count = samples.size(1);
  if (before >= count || after >= count) {
    throw_error(ErrorKind::internal, "mirroring {} and {} of {} samples", before, after, count);
  }
  std::vector<torch::Tensor> parts;
  parts.reserve(3);
  if (before > 0) parts.push_back(samples.narrow(1, 1, before).flip(1));
  parts.push_back(samples);
  if (after > 0) parts.push_back(samples.narrow(1, count - 1 - after, after).flip(1));
  return torch::cat(parts, 1);
}

torch::Tensor short_time_spectrum(const torch::Tensor& samples, const torch::Tensor& window,
                                  int64_t hop) {
  return torch::fft::rfft(samples.unfold(1, window.size(0), hop) * window);
}

audio::MelOptions full_band(audio::MelOptions options) {
  options.fmin = 0;
  options.fmax = options.sample_rate / 2.0;
  return options;
}

MelTorch::MelTorch(const audio::MelOptions& options, torch::Device device)
    : options_(options),
      window_(window_tensor(options).to(device, torch::kFloat32)),
      bands_(band_tensor(options).to(device, torch::kFloat32)) {}

torch::Tensor MelTorch::apply(const torch::Tensor& samples) const {
  const int64_t padding = audio::mel_padding(options_);
  return apply_padded(mirrored(samples, padding, padding));
}

torch::Tensor MelTorch::apply_padded(const torch::Tensor& samples) const {
  const auto parts =
      torch::view_as_real(short_time_spectrum(samples, window_, options_.hop_length));
  const auto squares = parts.square().sum(-1) + kLeastSquare;  // [batch, frames, bins]
  const auto powers = options_.power == 2 ? squares : squares.pow(options_.power / 2);
  const auto mel = torch::matmul(powers, bands_).clamp_min(options_.floor).transpose(1, 2);
  return options_.compression == audio::Compression::log ? mel.log() : mel.log10();
}

}  // namespace seda::model
