// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/mel_options.h"

#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "tests/support/error_message.h"

namespace seda::audio {
namespace {

using seda::testing_support::error_message;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

TEST(MelOptions, PresetsAreWhatVocodersExpect) {
  EXPECT_THAT(mel_preset_names(), ElementsAre("hifigan", "tacotron2", "fullband"));
  EXPECT_EQ(mel_preset("hifigan"), MelOptions{});
  EXPECT_FALSE(mel_preset("hifigan").center);
  EXPECT_TRUE(mel_preset("tacotron2").center);
  EXPECT_EQ(mel_preset("tacotron2").fmax, 8000);
  EXPECT_EQ(mel_preset("fullband", 24000).fmax, 12000);
  EXPECT_EQ(mel_preset("fullband", 24000).sample_rate, 24000);
  for (const auto name : mel_preset_names())
    EXPECT_NO_THROW(check(mel_preset(name)));
}

TEST(MelOptions, UnknownPresetListsThem) {
  EXPECT_THAT(error_message([] { mel_preset("hifi"); }),
              AllOf(HasSubstr("hifigan, tacotron2, fullband"), HasSubstr("'hifi'")));
}

/// What is said of the defaults with one change.
std::string refusal(const std::function<void(MelOptions&)>& change) {
  MelOptions options;
  change(options);
  return error_message([&] { check(options); });
}

TEST(MelOptions, EveryCheckNamesItsValue) {
  using O = MelOptions;
  EXPECT_THAT(refusal([](O& o) { o.sample_rate = 999; }),
              StartsWith("data.mel.sample_rate: expected 1000 to 384000 Hz, found 999"));
  EXPECT_THAT(refusal([](O& o) { o.n_fft = 14; }), StartsWith("data.mel.n_fft: expected 16"));
  EXPECT_THAT(refusal([](O& o) { o.n_fft = 32768; }), StartsWith("data.mel.n_fft: expected 16"));
  EXPECT_THAT(refusal([](O& o) { o.n_fft = 1022; }), HasSubstr("found 1022; 1024 would do"));
  EXPECT_THAT(refusal([](O& o) { o.n_fft = 1125; }), HasSubstr("1152 would do"));
  EXPECT_THAT(refusal([](O& o) { o.win_length = 1025; }), HasSubstr("win_length: expected 2 to"));
  EXPECT_THAT(refusal([](O& o) { o.win_length = 1; }), HasSubstr("win_length: expected 2 to"));
  EXPECT_THAT(refusal([](O& o) { o.hop_length = 0; }), HasSubstr("hop_length: expected 1 to"));
  EXPECT_THAT(refusal([](O& o) { o.hop_length = 1025; }), HasSubstr("a longer hop skips samples"));
  EXPECT_THAT(refusal([](O& o) { o.n_mels = 0; }), HasSubstr("n_mels: expected 1 to 512"));
  EXPECT_THAT(refusal([](O& o) { o.n_mels = 513; }), HasSubstr("n_mels: expected 1 to 512"));
  EXPECT_THAT(refusal([](O& o) { o.fmin = -1; }), HasSubstr("fmin: expected 0 to below fmax"));
  EXPECT_THAT(refusal([](O& o) { o.fmin = 8000; }), HasSubstr("fmin: expected 0 to below fmax"));
  EXPECT_THAT(refusal([](O& o) { o.fmax = 11026; }), HasSubstr("half the sample rate (11025)"));
  EXPECT_THAT(refusal([](O& o) { o.power = 0; }), HasSubstr("power: expected above 0 to 4"));
  EXPECT_THAT(refusal([](O& o) { o.floor = 0; }), HasSubstr("floor: expected 1e-12 to 1"));
  EXPECT_THAT(refusal([](O& o) { o.floor = std::nan(""); }), HasSubstr("floor"));
  EXPECT_EQ(refusal([](O&) {}), "nothing was thrown");
}

/// Frames that begin and end inside the padded clip, by counting.
int64_t counted_frames(const MelOptions& o, int64_t samples) {
  if (samples == 0) return 0;
  const int64_t padded = samples + 2 * mel_padding(o);
  int64_t frames = 0;
  while (frames * o.hop_length + o.n_fft <= padded)
    ++frames;
  return frames;
}

TEST(MelOptions, FramesAreThoseThatFit) {
  for (const bool center : {false, true}) {
    for (const auto& [n_fft, hop] : {std::pair{1024, 256}, {1024, 275}, {30, 7}, {16, 16}}) {
      MelOptions options;
      options.n_fft = n_fft;
      options.hop_length = hop;
      options.center = center;
      for (int64_t samples = 0; samples < 3000; samples += samples < 40 ? 1 : 13)
        ASSERT_EQ(mel_frames(options, samples), counted_frames(options, samples)) << samples;
    }
  }
}

TEST(MelOptions, SilenceIsTheLogarithmOfTheFloor) {
  MelOptions options;
  EXPECT_FLOAT_EQ(mel_silence(options), -11.512925F);
  options.compression = Compression::log10;
  EXPECT_FLOAT_EQ(mel_silence(options), -5);
}

TEST(MelOptions, DescriptionIsReadBack) {
  MelOptions options{
      16000, 400, 160, 320, true, 64, 20, 7600, Filterbank::htk, 2, Compression::log10, 1e-6};
  EXPECT_EQ(read_mel_options(describe(options)), options);
  EXPECT_EQ(read_mel_options(describe(MelOptions{})), MelOptions{});
}

TEST(MelOptions, ForeignDescriptionIsRefused) {
  const auto refused = [](const std::function<void(Json&)>& change) {
    Json description = describe(MelOptions{});
    change(description);
    return error_message([&] { read_mel_options(description); });
  };
  EXPECT_THAT(refused([](Json& d) { d.erase("power"); }), HasSubstr("a value 'power', found none"));
  EXPECT_THAT(refused([](Json& d) { d["n_fft"] = "many"; }),
              HasSubstr("n_fft: expected a whole number, found \"many\""));
  EXPECT_THAT(refused([](Json& d) { d["center"] = "middle"; }),
              HasSubstr("center: expected true or false, found \"middle\""));
  EXPECT_THAT(refused([](Json& d) { d["filterbank"] = "bark"; }),
              HasSubstr("filterbank: expected one of slaney, htk, found 'bark'"));
  EXPECT_THAT(refused([](Json& d) { d["n_mels"] = 0; }), HasSubstr("n_mels"));
}

}  // namespace
}  // namespace seda::audio
