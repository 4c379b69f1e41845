// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/mel_picture.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "seda/audio/mel_cpu.h"
#include "seda/audio/mel_tables.h"
#include "tests/audio/decoded_png.h"

namespace seda::audio {
namespace {

using testing_support::decode_png;
using testing_support::DecodedPng;

/// The mel of a tone.
std::vector<float> tone_mel(const MelOptions& options, double hertz, double seconds) {
  std::vector<float> samples(static_cast<size_t>(seconds * options.sample_rate));
  for (size_t i = 0; i < samples.size(); ++i) {
    const double turn = hertz * static_cast<double>(i) / options.sample_rate;
    samples[i] = static_cast<float>(0.5 * std::sin(2 * std::numbers::pi * turn));
  }
  const MelCpu mel(options);
  MelCpu::Workspace workspace(mel);
  const auto frames = static_cast<size_t>(mel.frames(std::ssize(samples)));
  std::vector<float> out(static_cast<size_t>(options.n_mels) * frames);
  mel.apply(samples, workspace, {out.data(), frames, frames});
  return out;
}

int brightness(const Color& color) {
  return color.red + color.green + color.blue;
}

/// The row of the brightest pixel of a column.
int brightest_row(const DecodedPng& png, const MelLayout& layout, int x) {
  int best = layout.top;
  for (int y = layout.top; y < layout.top + layout.height; ++y) {
    if (brightness(png.at(x, y)) > brightness(png.at(x, best))) best = y;
  }
  return best;
}

TEST(MelPicture, AToneLiesAtItsFrequency) {
  for (const char* preset : {"hifigan", "tacotron2", "fullband"}) {
    const MelOptions options = mel_preset(preset);
    for (const double hertz : {300.0, 1000.0, 2500.0, 6000.0}) {
      const auto mel = tone_mel(options, hertz, 1);
      const DecodedPng png = decode_png(png_bytes(draw_mel(mel, options, "tone.wav")));
      const MelLayout layout = lay_out(options, mel.size() / 80);
      const int row = brightest_row(png, layout, layout.left + layout.width / 2);
      EXPECT_NEAR(row, layout.row(options, hertz), 1.5 * layout.band_pixels)
          << preset << " " << hertz;
    }
  }
}

TEST(MelPicture, TheMiddleOfABandIsItsCentre) {
  const MelOptions options;
  const MelLayout layout = lay_out(options, 100);
  const auto edges = mel_edges(options);
  for (int band = 0; band < options.n_mels; ++band) {
    const int middle =
        layout.top + layout.height - band * layout.band_pixels - layout.band_pixels / 2;
    EXPECT_NEAR(layout.row(options, edges[static_cast<size_t>(band) + 1]), middle, 1.01) << band;
  }
}

TEST(MelPicture, ASoundInTheMiddleLiesAtItsTime) {
  const MelOptions options;
  const size_t frames = 172;  // 2 s
  std::vector<float> mel(80 * frames, -11.5F);
  const auto loud = static_cast<size_t>(0.5 * options.sample_rate / options.hop_length);
  for (size_t band = 0; band < 80; ++band)
    mel[band * frames + loud] = 1;
  const DecodedPng png = decode_png(png_bytes(draw_mel(mel, options, "click")));
  const MelLayout layout = lay_out(options, frames);
  const int y = layout.top + layout.height / 2;
  EXPECT_GT(brightness(png.at(layout.column(0.5), y)), 700);
  EXPECT_LT(brightness(png.at(layout.column(0.55), y)), 100);
  EXPECT_LT(brightness(png.at(layout.column(0.45), y)), 100);
}

/// Pixels of the colour of ink in a rectangle.
int ink(const DecodedPng& png, int left, int top, int width, int height) {
  int count = 0;
  for (int y = top; y < top + height; ++y) {
    for (int x = left; x < left + width; ++x)
      count += png.at(x, y) == Color{40, 40, 48} ? 1 : 0;
  }
  return count;
}

TEST(MelPicture, HasAxesATitleAndABar) {
  const MelOptions options;
  const auto mel = tone_mel(options, 440, 3);
  const DecodedPng png = decode_png(png_bytes(draw_mel(mel, options, "a name")));
  const MelLayout layout = lay_out(options, mel.size() / 80);
  const int right = layout.left + layout.width;
  const int bottom = layout.top + layout.height;
  for (const double second : {0.0, 1.0, 2.0})
    EXPECT_EQ(ink(png, layout.column(second), bottom + 1, 2, 5), 10) << second;
  for (const double hertz : {1000.0, 2000.0, 4000.0})
    EXPECT_EQ(ink(png, layout.left - 6, layout.row(options, hertz), 5, 2), 10) << hertz;
  EXPECT_GT(ink(png, layout.left, 0, 80, 24), 100) << "the title";
  EXPECT_GT(ink(png, 0, layout.top, layout.left - 8, layout.height), 200) << "Hz";
  EXPECT_GT(ink(png, layout.left, bottom + 8, layout.width, 40), 60) << "seconds";
  EXPECT_GT(ink(png, right + 48, layout.top, 80, layout.height), 60) << "values of the bar";
  const int bar = right + 30;
  EXPECT_GT(brightness(png.at(bar, layout.top)), brightness(png.at(bar, bottom - 1)) + 500);
}

TEST(MelPicture, SilenceAndOneFrameCanBeDrawn) {
  const MelOptions options;
  const std::vector<float> mel(80, -11.5F);
  const Picture picture = draw_mel(mel, options, "");
  EXPECT_GT(picture.width(), 64);
  EXPECT_GT(picture.height(), 320);
}

TEST(MelPicture, ALongClipIsNoWiderThanCanBeShown) {
  const MelOptions options;
  const size_t frames = 100'000;
  const std::vector<float> mel(80 * frames, -3.0F);
  EXPECT_LT(draw_mel(mel, options, "long").width(), 8300);
}

TEST(MelPicture, AnyDefinitionCanBeDrawn) {
  MelOptions options = mel_preset("fullband", 48000);
  options.filterbank = Filterbank::htk;
  options.compression = Compression::log10;
  options.n_mels = 512;
  options.fmin = 60;
  const auto mel = tone_mel(options, 5000, 0.3);
  const Picture picture = draw_mel(mel, options, std::string(500, 'x'));
  EXPECT_GT(picture.height(), 512);
}

}  // namespace
}  // namespace seda::audio
