// SPDX-License-Identifier: Apache-2.0
// The log-mel spectrogram in torch: against the one of the CPU, and its gradient.
#include "seda/model/mel_torch.h"

#include <gtest/gtest.h>

#include "seda/audio/mel_cpu.h"

namespace seda::model {
namespace {

/// Noise, silence and tones, so that every band has loud and silent frames.
torch::Tensor clip(int64_t samples) {
  torch::manual_seed(1);
  const auto time = torch::arange(samples, torch::kFloat32);
  auto sound = 0.3 * torch::sin(time * 0.11) + 0.2 * torch::sin(time * 0.9);
  sound += 0.1 * torch::randn({samples}) * (time > samples * 0.6F);
  return (sound * (time < samples * 0.9F)).to(torch::kFloat32);
}

torch::Tensor mel_of_cpu(const torch::Tensor& sound, const audio::MelOptions& options) {
  const audio::MelCpu plan(options);
  audio::MelCpu::Workspace workspace(plan);
  const int64_t frames = plan.frames(sound.size(0));
  auto mel = torch::zeros({options.n_mels, frames});
  plan.apply(
      std::span<const float>(sound.const_data_ptr<float>(), static_cast<size_t>(sound.size(0))),
      workspace, {mel.data_ptr<float>(), static_cast<size_t>(frames), static_cast<size_t>(frames)});
  return mel;
}

std::vector<audio::MelOptions> definitions() {
  std::vector<audio::MelOptions> all;
  for (const auto name : audio::mel_preset_names())
    all.push_back(audio::mel_preset(name));
  audio::MelOptions other;
  other.n_fft = 480;
  other.win_length = 400;
  other.hop_length = 150;
  other.n_mels = 40;
  other.power = 2;
  other.filterbank = audio::Filterbank::htk;
  other.compression = audio::Compression::log10;
  all.push_back(other);
  return all;
}

TEST(MelTorch, EqualsTheMelOfTheCpu) {
  for (const audio::MelOptions& options : definitions()) {
    const auto sound = clip(9000);
    const auto expected = mel_of_cpu(sound, options);
    const auto found = MelTorch(options, torch::kCPU).apply(sound.unsqueeze(0))[0];
    ASSERT_EQ(found.sizes(), expected.sizes());
    const auto heard = expected > -9;
    EXPECT_GT(heard.to(torch::kFloat32).mean().item<float>(), 0.5F);
    EXPECT_LE(((found - expected).abs() * heard).max().item<float>(), 3e-4F)
        << options.n_fft << " " << options.center;
  }
}

TEST(MelTorch, OfSilenceIsTheFloorAndHasAGradient) {
  const audio::MelOptions options;
  const auto sound = torch::zeros({1, 4000}, torch::requires_grad());
  const auto mel = MelTorch(options, torch::kCPU).apply(sound);
  EXPECT_NEAR(mel.max().item<float>(), audio::mel_silence(options), 1e-4);
  mel.sum().backward();
  EXPECT_TRUE(torch::isfinite(sound.grad()).all().item<bool>());
}

TEST(MelTorch, ItsGradientIsThatOfFiniteDifferences) {
  audio::MelOptions options;
  options.n_fft = options.win_length = 64;
  options.hop_length = 16;
  options.n_mels = 8;
  const MelTorch mel(options, torch::kCPU);
  auto sound = clip(400).unsqueeze(0).detach().requires_grad_();
  const auto weights = torch::randn({8, 25});
  const auto value = [&](const torch::Tensor& x) { return (mel.apply(x)[0] * weights).sum(); };
  value(sound).backward();
  const torch::NoGradGuard no_grad;
  for (const int64_t place : {0, 3, 57, 200, 399}) {
    auto step = torch::zeros_like(sound);
    step[0][place] = 1e-3F;
    const float expected = (value(sound + step) - value(sound - step)).item<float>() / 2e-3F;
    EXPECT_NEAR(sound.grad()[0][place].item<float>(), expected, 0.02F * std::abs(expected) + 0.05F)
        << place;
  }
}

TEST(Mirrored, RepeatsNoEndSample) {
  const auto x = torch::arange(5, torch::kFloat32).unsqueeze(0);
  const auto found = mirrored(x, 2, 3);
  EXPECT_TRUE(
      torch::equal(found[0], torch::tensor({2, 1, 0, 1, 2, 3, 4, 3, 2, 1}, torch::kFloat32)));
  EXPECT_TRUE(torch::equal(mirrored(x, 0, 0), x));
}

}  // namespace
}  // namespace seda::model
