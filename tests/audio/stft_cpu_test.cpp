// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/stft_cpu.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/audio/clip.h"
#include "tests/audio/mel_reference.h"
#include "tests/support/error_message.h"

namespace seda::audio {
namespace {

using seda::testing_support::error_message;
using testing::HasSubstr;
using testing_support::made_clip;
using testing_support::MelReference;
using testing_support::to_floats;

MelOptions framed(int n_fft, int hop, int win, bool center) {
  MelOptions options;
  options.n_fft = n_fft;
  options.hop_length = hop;
  options.win_length = win;
  options.center = center;
  return options;
}

const std::vector<MelOptions> kFramings = {
    framed(1024, 256, 1024, false), framed(1024, 256, 1024, true), framed(400, 160, 400, true),
    framed(2048, 275, 1100, true),  framed(512, 100, 333, false),  framed(30, 7, 21, true)};

std::vector<float> inverse_of(const StftCpu& stft, const Spectrum& spectrum) {
  std::vector<float> samples(
      static_cast<size_t>(stft_samples(stft.options(), static_cast<int64_t>(spectrum.frames()))));
  stft.inverse(spectrum, samples);
  return samples;
}

TEST(StftCpu, InverseUndoesForward) {
  for (const MelOptions& options : kFramings) {
    const StftCpu stft(options);
    const auto samples = to_floats(made_clip(12345));
    const auto back = inverse_of(stft, stft.forward(samples));
    ASSERT_LE(back.size(), samples.size() + static_cast<size_t>(options.n_fft));
    for (size_t i = 0; i < std::min(back.size(), samples.size()); ++i)
      ASSERT_NEAR(back[i], samples[i], 1e-5) << options.n_fft << " sample " << i;
  }
}

TEST(StftCpu, EqualsTheDefinition) {
  for (const MelOptions& options : kFramings) {
    const auto samples = to_floats(made_clip(5000));
    const Spectrum got = StftCpu(options).forward(samples);
    const MelReference reference(options, samples);
    for (const size_t frame : {size_t{0}, size_t{1}, got.frames() / 2, got.frames() - 1}) {
      const auto want = reference.spectrum(static_cast<int64_t>(frame));
      for (size_t k = 0; k < want.size(); ++k) {
        ASSERT_NEAR(got.real(k, frame), want[k].real(), 2e-5) << k;
        ASSERT_NEAR(got.imaginary(k, frame), want[k].imag(), 2e-5) << k;
      }
    }
  }
}

TEST(StftCpu, SamplesGiveTheirFramesBack) {
  for (const MelOptions& options : kFramings) {
    for (int64_t frames = 0; frames < 40; ++frames)
      EXPECT_EQ(mel_frames(options, stft_samples(options, frames)), frames) << options.n_fft;
  }
}

TEST(StftCpu, ShortClipsSurvive) {
  for (const MelOptions& options : kFramings) {
    const StftCpu stft(options);
    for (const size_t length : {size_t{1}, size_t{2}, size_t{100}, size_t{257}}) {
      const auto samples = to_floats(made_clip(length));
      const auto back = inverse_of(stft, stft.forward(samples));
      for (size_t i = 0; i < std::min(back.size(), length); ++i)
        ASSERT_NEAR(back[i], samples[i], 1e-5) << options.n_fft << " " << length;
    }
  }
}

TEST(StftCpu, PlacesBeyondTheLastFrameStayZero) {
  const Spectrum spectrum = StftCpu(kFramings[0]).forward(to_floats(made_clip(256 * 21)));
  ASSERT_EQ(spectrum.frames(), 21U);
  for (size_t bin = 0; bin < spectrum.bins(); ++bin) {
    for (size_t frame = 21; frame < 32; ++frame) {
      ASSERT_EQ(spectrum.real(bin, frame), 0);
      ASSERT_EQ(spectrum.imaginary(bin, frame), 0);
    }
  }
}

TEST(StftCpu, NothingGivesNothing) {
  const StftCpu stft(kFramings[0]);
  EXPECT_EQ(stft.forward({}).frames(), 0U);
  EXPECT_TRUE(inverse_of(stft, stft.forward({})).empty());
}

TEST(StftCpu, OtherShapesAreRefused) {
  const StftCpu stft(kFramings[0]);
  std::vector<float> samples(1000);
  EXPECT_THAT(error_message([&] { stft.inverse(Spectrum(513, 4), samples); }),
              HasSubstr("room for 1024 samples, found 513 and 1000"));
  EXPECT_THAT(error_message([&] { stft.inverse(Spectrum(512, 4), samples); }),
              HasSubstr("expected 513 bins"));
}

}  // namespace
}  // namespace seda::audio
