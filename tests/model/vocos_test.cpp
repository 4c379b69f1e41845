// SPDX-License-Identifier: Apache-2.0
// The generator: its inverse transform against one in double, padding, gradients.
#include "seda/model/vocos.h"

#include <cmath>
#include <complex>
#include <numbers>

#include <gtest/gtest.h>

#include "seda/audio/mel_tables.h"

namespace seda::model {
namespace {

VocosOptions small_vocos(bool center = false) {
  VocosOptions options{.blocks = 2, .width = 12, .hidden = 20, .mel = {}};
  options.mel.n_fft = 64;
  options.mel.win_length = 60;
  options.mel.hop_length = 16;
  options.mel.n_mels = 5;
  options.mel.center = center;
  return options;
}

Vocos seeded_vocos(const VocosOptions& options) {
  torch::manual_seed(4);
  Vocos network(options);
  const torch::NoGradGuard no_grad;
  for (auto& weight : network->parameters())
    weight.add_(0.1 * torch::randn_like(weight));  // biases are zero at first
  return network;
}

/// The definition of audio::MelOptions, term by term: spectra of a clip that is zero outside.
struct NaiveSpectrum {
  torch::Tensor log_magnitudes;  // [1, frames, bins]
  torch::Tensor phases;
};

NaiveSpectrum naive_spectrum(const std::vector<double>& clip, int64_t frames,
                             const audio::MelOptions& mel) {
  const auto window = audio::mel_window(mel);
  const int pad = audio::mel_padding(mel);
  const int bins = mel.n_fft / 2 + 1;
  NaiveSpectrum out{torch::zeros({1, frames, bins}), torch::zeros({1, frames, bins})};
  for (int64_t t = 0; t < frames; ++t) {
    for (int k = 0; k < bins; ++k) {
      std::complex<double> sum = 0;
      for (int i = 0; i < mel.n_fft; ++i) {
        const int64_t place = t * mel.hop_length - pad + i;
        const bool inside = place >= 0 && place < static_cast<int64_t>(clip.size());
        const double sample = inside ? clip[static_cast<size_t>(place)] : 0;
        sum += window[static_cast<size_t>(i)] * sample *
               std::polar(1.0, -2 * std::numbers::pi * i * k / mel.n_fft);
      }
      out.log_magnitudes[0][t][k] = std::log(std::abs(sum) + 1e-30);
      out.phases[0][t][k] = std::arg(sum);
    }
  }
  return out;
}

std::vector<double> chirp(size_t samples) {
  std::vector<double> out;
  out.reserve(samples);
  for (size_t i = 0; i < samples; ++i) {
    const auto t = static_cast<double>(i);
    out.push_back(0.6 * std::sin(0.05 * t + 0.002 * t * t));
  }
  return out;
}

class InverseTransform : public testing::TestWithParam<bool> {};

TEST_P(InverseTransform, GivesTheClipBackWhoseSpectrumItIsGiven) {
  const VocosOptions options = small_vocos(GetParam());
  const int64_t frames = 9;
  const auto clip = chirp(static_cast<size_t>(frames * options.mel.hop_length));
  const auto spectrum = naive_spectrum(clip, frames, options.mel);
  const auto sound = Vocos(options)->sound_of(spectrum.log_magnitudes, spectrum.phases);
  ASSERT_EQ(sound.size(1), frames * options.mel.hop_length);
  for (size_t i = 0; i < clip.size(); ++i)
    EXPECT_NEAR(sound[0][static_cast<int64_t>(i)].item<double>(), clip[i], 2e-4) << i;
}

INSTANTIATE_TEST_SUITE_P(Framings, InverseTransform, testing::Bool());

TEST(Vocos, MakesAHopOfSamplesForEachFrame) {
  auto network = seeded_vocos(small_vocos());
  const auto sound = network->forward(torch::randn({2, 5, 7}));
  EXPECT_EQ(sound.size(0), 2);
  EXPECT_EQ(sound.size(1), 7 * 16);
  EXPECT_GT(sound.abs().max().item<float>(), 1e-4F);
}

TEST(Vocos, ARowDoesNotHearItsNeighboursOrItsPadding) {
  for (const bool center : {false, true}) {
    auto network = seeded_vocos(small_vocos(center));
    const torch::NoGradGuard no_grad;
    const std::vector<int64_t> lengths = {11, 6, 1};
    torch::manual_seed(9);
    const auto mels = torch::randn({3, 5, 11});
    const auto together = network->forward(mels, torch::tensor(lengths, torch::kInt64));
    for (int64_t row = 0; row < 3; ++row) {
      const int64_t frames = lengths[static_cast<size_t>(row)];
      const auto alone = network->forward(mels.narrow(0, row, 1).narrow(2, 0, frames));
      const auto found = together.narrow(0, row, 1).narrow(1, 0, frames * 16);
      EXPECT_LE((alone - found).abs().max().item<float>(), 1e-6F) << row;
    }
  }
}

TEST(Vocos, MagnitudesBeyondAnySoundHaveAFiniteGradient) {
  Vocos network(small_vocos());
  auto logs = torch::full({1, 4, 33}, 1000.0F).requires_grad_();
  const auto sound = network->sound_of(logs, torch::zeros({1, 4, 33}));
  EXPECT_TRUE(torch::isfinite(sound).all().item<bool>());
  sound.sum().backward();
  EXPECT_TRUE(torch::isfinite(logs.grad()).all().item<bool>());
}

TEST(Vocos, GradientsOfEveryWeightAreThoseOfFiniteDifferences) {
  auto network = seeded_vocos(small_vocos());
  torch::manual_seed(5);
  const auto mels = torch::randn({2, 5, 6});
  const auto wanted = torch::randn({2, 96});
  const auto loss = [&] { return (network->forward(mels) * wanted).sum(); };
  loss().backward();
  const torch::NoGradGuard no_grad;
  for (auto& parameter : network->named_parameters()) {
    auto weight = parameter.value().flatten()[0];
    const float step = 2e-3F;
    weight.add_(step);
    const float above = loss().item<float>();
    weight.sub_(2 * step);
    const float below = loss().item<float>();
    weight.add_(step);
    const float expected = (above - below) / (2 * step);
    const float found = parameter.value().grad().flatten()[0].item<float>();
    EXPECT_NEAR(found, expected, 0.03F * std::abs(expected) + 2e-3F) << parameter.key();
  }
}

TEST(Vocos, ComputesInBf16NearlyTheSame) {
  auto network = seeded_vocos(small_vocos());
  const torch::NoGradGuard no_grad;
  const auto mels = torch::randn({1, 5, 8});
  const auto exact = network->forward(mels);
  network->compute_in(torch::kBFloat16);
  const auto rounded = network->forward(mels);
  EXPECT_EQ(rounded.scalar_type(), torch::kFloat32);
  const float distance = (exact - rounded).abs().mean().item<float>();
  EXPECT_GT(distance, 0.0F);
  EXPECT_LT(distance, 0.05F * exact.abs().mean().item<float>());
}

}  // namespace
}  // namespace seda::model
