// SPDX-License-Identifier: Apache-2.0
// The transform of every size up to 2048, by way of the short-time spectrum, against one that sums
// every product.
#include "seda/audio/detail/fft_plan.h"

#include <cmath>

#include <gtest/gtest.h>

#include "seda/audio/detail/simd_levels.h"
#include "seda/audio/stft_cpu.h"
#include "tests/audio/clip.h"
#include "tests/audio/mel_reference.h"

namespace seda::audio {
namespace {

using testing_support::made_clip;
using testing_support::MelReference;
using testing_support::to_floats;

bool has_small_factors(int n) {
  for (const int factor : {2, 3, 5}) {
    while (n % factor == 0)
      n /= factor;
  }
  return n == 1;
}

MelOptions of_size(int n_fft) {
  MelOptions options;
  options.n_fft = options.win_length = n_fft;
  options.hop_length = n_fft / 4;
  return options;
}

std::vector<MelOptions> all_sizes(int largest) {
  std::vector<MelOptions> sizes;
  for (int n_fft = 16; n_fft <= largest; n_fft += 2) {
    if (has_small_factors(n_fft)) sizes.push_back(of_size(n_fft));
  }
  return sizes;
}

/// Largest difference of a frame's bins from the reference, over the largest bin.
double error_of(const MelReference& reference, const Spectrum& got, size_t frame) {
  const auto want = reference.spectrum(static_cast<int64_t>(frame));
  double worst = 0;
  double largest = 0;
  for (size_t k = 0; k < want.size(); ++k) {
    const std::complex<double> value(got.real(k, frame), got.imaginary(k, frame));
    worst = std::max(worst, std::abs(value - want[k]));
    largest = std::max(largest, std::abs(want[k]));
  }
  return worst / largest;
}

class FftLevels : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Simd, FftLevels, testing::ValuesIn(detail::simd_levels()),
                         [](const auto& level) { return level.param; });

TEST_P(FftLevels, EverySizeEqualsTheSumOfProducts) {
  const detail::ForceSimdLevel level(GetParam());
  for (const MelOptions& options : all_sizes(2048)) {
    const auto samples = to_floats(made_clip(static_cast<size_t>(options.n_fft) * 5));
    const Spectrum got = StftCpu(options).forward(samples);
    const MelReference reference(options, samples);
    ASSERT_EQ(static_cast<int64_t>(got.frames()), reference.frames());
    for (const size_t frame : {size_t{0}, size_t{9}, got.frames() - 1})
      ASSERT_LE(error_of(reference, got, frame), 5e-7) << options.n_fft << " frame " << frame;
  }
}

TEST_P(FftLevels, InverseUndoesForwardForEverySize) {
  const detail::ForceSimdLevel level(GetParam());
  for (const MelOptions& options : all_sizes(16384)) {
    const StftCpu stft(options);
    const auto samples = to_floats(made_clip(static_cast<size_t>(options.n_fft) * 5));
    const Spectrum spectrum = stft.forward(samples);
    std::vector<float> back(
        static_cast<size_t>(stft_samples(options, static_cast<int64_t>(spectrum.frames()))));
    stft.inverse(spectrum, back);
    ASSERT_GE(back.size() + static_cast<size_t>(options.hop_length), samples.size());
    for (size_t i = 0; i < std::min(back.size(), samples.size()); ++i)
      ASSERT_NEAR(back[i], samples[i], 2e-6) << options.n_fft << " sample " << i;
  }
}

TEST(Fft, LargestSizesEqualTheSumOfProducts) {
  for (const int n_fft : {12500, 15552, 16384}) {
    const auto samples = to_floats(made_clip(static_cast<size_t>(n_fft)));
    const Spectrum got = StftCpu(of_size(n_fft)).forward(samples);
    EXPECT_LE(error_of(MelReference(of_size(n_fft), samples), got, 1), 5e-7) << n_fft;
  }
}

TEST(FftPlan, EveryPointHasItsOwnPosition) {
  for (const MelOptions& options : all_sizes(2048)) {
    const auto plan = detail::make_fft_plan(static_cast<size_t>(options.n_fft));
    std::vector<bool> taken(detail::fft_memory(plan));
    for (const uint32_t position : plan.position) {
      ASSERT_LT(position, taken.size());
      ASSERT_FALSE(taken[position]);
      taken[position] = true;
    }
  }
}

TEST(FftPlan, BinsThatAreNotWantedAreNotMade) {
  const auto plan = detail::make_fft_plan(1024, 3, 372);
  std::vector<int> made(513);
  for (const auto& group : plan.pair_groups) {
    for (size_t i = group.begin; i < group.end; ++i) {
      ++made[plan.pairs[i].bin];
      if (i < group.one_wanted && plan.pairs[i].bin != plan.pairs[i].mirror_bin)
        ++made[plan.pairs[i].mirror_bin];
    }
  }
  for (size_t bin = 0; bin < made.size(); ++bin)
    EXPECT_EQ(made[bin], bin >= 3 && bin < 372 ? 1 : 0) << bin;
}

}  // namespace
}  // namespace seda::audio
