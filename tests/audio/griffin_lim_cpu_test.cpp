// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/griffin_lim_cpu.h"

#include <cmath>
#include <iostream>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/audio/detail/simd_levels.h"
#include "seda/audio/mel_cpu.h"
#include "seda/audio/stft_cpu.h"
#include "tests/audio/clip.h"
#include "tests/support/error_message.h"

namespace seda::audio {
namespace {

using seda::testing_support::error_message;
using testing::HasSubstr;
using testing_support::made_clip;
using testing_support::published_clip;
using testing_support::read_clip;
using testing_support::to_floats;

Spectrum magnitudes_of(const MelOptions& options, const std::vector<float>& samples) {
  Spectrum spectrum = StftCpu(options).forward(samples);
  for (size_t bin = 0; bin < spectrum.bins(); ++bin) {
    for (size_t frame = 0; frame < spectrum.frames(); ++frame) {
      float& imaginary = spectrum.imaginary(bin, frame);
      spectrum.real(bin, frame) = std::hypot(spectrum.real(bin, frame), imaginary);
      imaginary = 0;
    }
  }
  return spectrum;
}

/// Distance of the magnitudes of what was found from those that were asked for, over the latter.
double distance(const Spectrum& wanted, const Spectrum& found) {
  double difference = 0;
  double all = 0;
  for (size_t bin = 0; bin < wanted.bins(); ++bin) {
    for (size_t frame = 0; frame < wanted.frames(); ++frame) {
      const double want = wanted.real(bin, frame);
      difference += std::pow(found.real(bin, frame) - want, 2);
      all += want * want;
    }
  }
  return std::sqrt(difference / all);
}

std::vector<float> mel_of(const MelOptions& options, const std::vector<float>& samples) {
  const MelCpu plan(options);
  MelCpu::Workspace workspace(plan);
  const auto frames = static_cast<size_t>(plan.frames(static_cast<int64_t>(samples.size())));
  std::vector<float> mel(frames * static_cast<size_t>(options.n_mels));
  plan.apply(std::span<const float>(samples), workspace, {mel.data(), frames, frames});
  return mel;
}

MelView view_of(const MelOptions& options, std::vector<float>& mel) {
  const size_t frames = mel.size() / static_cast<size_t>(options.n_mels);
  return {mel.data(), frames, frames};
}

TEST(GriffinLimCpu, MoreIterationsFitBetter) {
  const MelOptions options = mel_preset("hifigan");
  const Spectrum wanted = magnitudes_of(options, to_floats(made_clip(256 * 80)));
  const GriffinLimCpu search(options);
  double before = 2;
  for (const int iterations : {0, 4, 16, 64}) {
    const auto samples = search.apply(wanted, {iterations, 0.99, 1});
    const double now = distance(wanted, magnitudes_of(options, samples));
    EXPECT_LT(now, before) << iterations;
    before = now;
  }
  EXPECT_LT(before, 0.15);
}

TEST(GriffinLimCpu, MomentumHelps) {
  const MelOptions options = mel_preset("tacotron2");
  const Spectrum wanted = magnitudes_of(options, to_floats(made_clip(256 * 80)));
  const GriffinLimCpu search(options);
  const auto fit = [&](double momentum) {
    return distance(wanted, magnitudes_of(options, search.apply(wanted, {48, momentum, 1})));
  };
  EXPECT_LT(fit(0.99), fit(0));
}

TEST(GriffinLimCpu, EveryFramingConverges) {
  for (const auto& [n_fft, hop, win] :
       {std::tuple{400, 100, 400}, {2048, 275, 1100}, {512, 120, 480}}) {
    for (const bool center : {false, true}) {
      MelOptions options;
      options.n_fft = n_fft;
      options.hop_length = hop;
      options.win_length = win;
      options.center = center;
      const auto clip = to_floats(made_clip(9999));
      const Spectrum wanted = magnitudes_of(options, clip);
      const auto samples = GriffinLimCpu(options).apply(wanted, {32, 0.99, 3});
      EXPECT_LT(distance(wanted, magnitudes_of(options, samples)), 0.25) << n_fft;
    }
  }
}

TEST(GriffinLimCpu, SameSeedGivesTheSameSamples) {
  const MelOptions options = mel_preset("hifigan");
  auto mel = mel_of(options, to_floats(made_clip(256 * 30)));
  const MelView view = view_of(options, mel);
  const GriffinLimCpu search(options);
  const auto first = search.apply(view, {4, 0.99, 7});
  EXPECT_EQ(search.apply(view, {4, 0.99, 7}), first);
  EXPECT_EQ(GriffinLimCpu(options).apply(view, {4, 0.99, 7}), first);
  EXPECT_NE(search.apply(view, {4, 0.99, 8}), first);
}

TEST(GriffinLimCpu, EveryInstructionSetHearsTheSame) {
  const MelOptions options = mel_preset("hifigan");
  auto mel = mel_of(options, to_floats(made_clip(256 * 30)));
  const MelView view = view_of(options, mel);
  const GriffinLimCpu search(options);
  const auto widest = search.apply(view, {2, 0.99, 7});
  for (const std::string& name : detail::simd_levels()) {
    const detail::ForceSimdLevel level(name);
    const auto samples = search.apply(view, {2, 0.99, 7});
    ASSERT_EQ(samples.size(), widest.size());
    for (size_t i = 0; i < samples.size(); ++i)
      ASSERT_NEAR(samples[i], widest[i], 1e-3) << name << " " << i;
  }
}

TEST(GriffinLimCpu, SamplesGiveTheFramesBack) {
  for (const auto name : mel_preset_names()) {
    const MelOptions options = mel_preset(name);
    for (const size_t frames : {1U, 2U, 3U, 20U}) {
      std::vector<float> mel(80 * frames, -3.0F);
      const auto samples = GriffinLimCpu(options).apply({mel.data(), frames, frames}, {2, 0.99, 0});
      EXPECT_EQ(mel_frames(options, static_cast<int64_t>(samples.size())),
                static_cast<int64_t>(frames));
      for (const float sample : samples)
        ASSERT_TRUE(std::isfinite(sample));
    }
  }
}

TEST(GriffinLimCpu, SpeechKeepsItsSpectrum) {
  if (!std::filesystem::exists(published_clip("LJ001-0002"))) GTEST_SKIP() << "no published clips";
  const MelOptions options = mel_preset("hifigan");
  auto want = mel_of(options, to_floats(read_clip(published_clip("LJ001-0002"))));
  const auto samples = GriffinLimCpu(options).apply(view_of(options, want), {32, 0.99, 0});
  const auto got = mel_of(options, samples);
  ASSERT_EQ(got.size(), want.size());
  double sum = 0;
  for (size_t i = 0; i < want.size(); ++i)
    sum += std::abs(got[i] - want[i]);
  const double mean = sum / static_cast<double>(want.size());
  std::cout << "  mean distance of the log-mel: " << mean << "\n";
  EXPECT_LT(mean, 0.35);
}

TEST(GriffinLimCpu, NothingGivesNothing) {
  EXPECT_TRUE(GriffinLimCpu(MelOptions{}).apply(MelView{}, {}).empty());
}

TEST(GriffinLimOptions, ValuesOutOfRangeAreRefused) {
  EXPECT_THAT(error_message([] { check(GriffinLimOptions{.iterations = -1}); }),
              HasSubstr("expected 0 to 100000, found -1"));
  EXPECT_THAT(error_message([] { check(GriffinLimOptions{.momentum = 1}); }),
              HasSubstr("expected 0 to below 1, found 1"));
}

TEST(GriffinLimOptions, FirstPhasesAreEvenlySpread) {
  std::vector<int> counts(8);
  for (uint32_t bin = 0; bin < 513; ++bin) {
    for (uint32_t frame = 0; frame < 100; ++frame) {
      const float phase = griffin_lim_phase(5, bin, frame);
      ASSERT_GE(phase, 0);
      ASSERT_LT(phase, 2 * std::numbers::pi);
      ++counts[static_cast<size_t>(phase / (2 * std::numbers::pi) * 8)];
    }
  }
  for (const int count : counts)
    EXPECT_NEAR(count, 51300 / 8, 400);
  EXPECT_NE(griffin_lim_phase(5, 0, 1), griffin_lim_phase(5, 1, 0));
  EXPECT_NE(griffin_lim_phase(5, 0, 1), griffin_lim_phase(6, 0, 1));
}

}  // namespace
}  // namespace seda::audio
