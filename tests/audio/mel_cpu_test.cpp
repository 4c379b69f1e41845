// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/mel_cpu.h"

#include <cmath>
#include <iostream>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/audio/detail/simd_levels.h"
#include "seda/base/error.h"
#include "tests/audio/clip.h"
#include "tests/audio/mel_reference.h"
#include "tests/support/allocations.h"
#include "tests/support/error_message.h"
#include "tests/support/npy.h"
#include "tests/support/threads.h"

namespace seda::audio {
namespace {

using detail::ForceSimdLevel;
using seda::testing_support::error_message;
using seda::testing_support::Matrix;
using seda::testing_support::read_npy;
using testing::HasSubstr;
using testing_support::made_clip;
using testing_support::MelErrors;
using testing_support::MelReference;
using testing_support::published_clip;
using testing_support::read_clip;
using testing_support::sized;
using testing_support::to_floats;

template <typename Sample>
Matrix mel_of(const MelCpu& plan, const std::vector<Sample>& samples) {
  const auto rows = static_cast<size_t>(plan.options().n_mels);
  const auto frames = static_cast<size_t>(plan.frames(static_cast<int64_t>(samples.size())));
  Matrix mel{rows, frames, std::vector<float>(rows * frames)};
  MelCpu::Workspace workspace(plan);
  plan.apply(std::span<const Sample>(samples), workspace, {mel.values.data(), frames, frames});
  return mel;
}

/// Compares every `step`-th frame, and the first and the last ones.
void compare(const MelOptions& options, const std::vector<int16_t>& clip, int64_t step,
             MelErrors& errors) {
  const MelReference reference(options, to_floats(clip));
  const Matrix mel = mel_of(MelCpu(options), clip);
  ASSERT_EQ(static_cast<int64_t>(mel.columns), reference.frames());
  for (int64_t frame = 0; frame < reference.frames(); ++frame) {
    const bool at_end = frame < 3 || frame + 3 >= reference.frames();
    if (!at_end && frame % step != 0) continue;
    const auto want = reference.mel(frame);
    for (size_t band = 0; band < want.size(); ++band)
      errors.add(mel.at(band, static_cast<size_t>(frame)), want[band]);
  }
}

/// Definitions that differ in every value.
std::vector<MelOptions> various() {
  std::vector<MelOptions> all = {
      sized(400, 160, 400),   sized(512, 128, 512), sized(1024, 256, 1024), sized(1200, 300, 1200),
      sized(2048, 275, 1100), sized(16, 4, 16),     sized(30, 7, 21),       sized(1024, 1000, 1001),
      sized(486, 81, 480),    sized(250, 250, 250)};
  for (size_t i = 0; i < all.size(); ++i) {
    all[i].center = i % 2 == 1;
    all[i].n_mels = i == 5 ? 3 : 20 + static_cast<int>(i) * 7;
    all[i].filterbank = i % 3 == 2 ? Filterbank::htk : Filterbank::slaney;
    all[i].power = i % 4 == 1 ? 2 : (i == 6 ? 1.5 : 1);
    all[i].compression = i % 5 == 3 ? Compression::log10 : Compression::log;
    all[i].fmin = i % 2 == 0 ? 0 : 30.5;
    all[i].fmax = i % 3 == 0 ? 11025 : 7600.25;
  }
  return all;
}

std::string name_of(const MelOptions& options) {
  return describe(options).dump();
}

class MelCpuLevels : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Simd, MelCpuLevels, testing::ValuesIn(detail::simd_levels()),
                         [](const auto& level) { return level.param; });

TEST_P(MelCpuLevels, EqualsDefinition) {
  const ForceSimdLevel level(GetParam());
  for (const MelOptions& options : various()) {
    MelErrors errors;
    compare(options, made_clip(9000), std::max(1, 1600 / options.hop_length), errors);
    EXPECT_TRUE(errors.within_tolerance()) << errors.text() << " " << name_of(options);
  }
}

TEST_P(MelCpuLevels, ShortClipsEqualDefinition) {
  const ForceSimdLevel level(GetParam());
  for (const bool center : {false, true}) {
    MelErrors errors;
    MelOptions options = sized(512, 128, 500);
    options.center = center;
    const auto pad = static_cast<size_t>(mel_padding(options));
    for (const size_t length : {size_t{1}, size_t{2}, size_t{3}, size_t{127}, size_t{128},
                                size_t{129}, pad - 1, pad, pad + 1, 2 * pad, size_t{513}}) {
      compare(options, made_clip(length), 1, errors);
    }
    EXPECT_TRUE(errors.within_tolerance()) << errors.text();
  }
}

TEST_P(MelCpuLevels, IntegersAndFloatsGiveTheSame) {
  const ForceSimdLevel level(GetParam());
  for (const MelOptions& options : various()) {
    const MelCpu plan(options);
    const auto clip = made_clip(8192 + 37);
    EXPECT_EQ(mel_of(plan, clip).values, mel_of(plan, to_floats(clip)).values) << name_of(options);
  }
}

TEST_P(MelCpuLevels, FrameDoesNotDependOnItsNeighbours) {
  const ForceSimdLevel level(GetParam());
  const MelCpu plan(mel_preset("hifigan"));
  const auto clip = made_clip(256 * 64);
  const std::vector<int16_t> later(clip.begin() + 256 * 5, clip.end());
  const Matrix whole = mel_of(plan, clip);
  const Matrix part = mel_of(plan, later);
  for (size_t frame = 2; frame + 2 < part.columns; ++frame) {
    for (size_t band = 0; band < part.rows; ++band)
      ASSERT_EQ(part.at(band, frame), whole.at(band, frame + 5)) << band << " " << frame;
  }
}

TEST_P(MelCpuLevels, SilenceIsTheFloor) {
  const ForceSimdLevel level(GetParam());
  const MelOptions options = mel_preset("tacotron2");
  for (const float value : mel_of(MelCpu(options), std::vector<int16_t>(5000)).values)
    ASSERT_NEAR(value, mel_silence(options), 1e-6);
}

TEST(MelCpu, EqualsGoldensOfPublishedClips) {
  if (!std::filesystem::exists(published_clip("LJ001-0001"))) GTEST_SKIP() << "no published clips";
  const auto folder = seda::testing_support::shared_data().parent_path() / "golden" / "mel";
  MelOptions odd = sized(2048, 275, 1100);
  odd.center = true;
  odd.n_mels = 100;
  odd.fmin = 20;
  odd.fmax = 10000;
  odd.power = 2;
  const std::vector<std::pair<std::string, MelOptions>> definitions = {
      {"hifigan", mel_preset("hifigan")},
      {"tacotron2", mel_preset("tacotron2")},
      {"fullband", mel_preset("fullband")},
      {"odd", odd}};
  for (const auto& [name, options] : definitions) {
    MelErrors errors;
    for (const std::string clip : {"LJ001-0001", "LJ001-0002", "LJ001-0008", "LJ001-0013"}) {
      if (!std::filesystem::exists(folder / (name + "_" + clip + ".npy"))) GTEST_SKIP();
      const Matrix want = read_npy(folder / (name + "_" + clip + ".npy"));
      const Matrix got = mel_of(MelCpu(options), read_clip(published_clip(clip)));
      ASSERT_EQ(got.rows, want.rows);
      ASSERT_EQ(got.columns, want.columns);
      for (size_t i = 0; i < want.values.size(); ++i)
        errors.add(got.values[i], want.values[i]);
    }
    EXPECT_TRUE(errors.within_tolerance()) << name << " " << errors.text();
    std::cout << "  " << name << ": " << errors.text() << "\n";
  }
}

TEST(MelCpu, RowsKeepTheirStride) {
  const MelCpu plan(mel_preset("hifigan"));
  const auto clip = made_clip(256 * 21);
  const Matrix packed = mel_of(plan, clip);
  const size_t stride = packed.columns + 5;
  std::vector<float> spread(packed.rows * stride, 77);
  MelCpu::Workspace workspace(plan);
  plan.apply(std::span<const int16_t>(clip), workspace, {spread.data(), packed.columns, stride});
  for (size_t row = 0; row < packed.rows; ++row) {
    for (size_t column = 0; column < stride; ++column) {
      const float want = column < packed.columns ? packed.at(row, column) : 77;
      ASSERT_EQ(spread[row * stride + column], want) << row << " " << column;
    }
  }
}

TEST(MelCpu, ClipWithoutSamplesHasNoFrames) {
  EXPECT_EQ(mel_of(MelCpu(mel_preset("hifigan")), std::vector<int16_t>()).columns, 0U);
  EXPECT_EQ(mel_of(MelCpu(mel_preset("hifigan")), std::vector<int16_t>(255)).columns, 0U);
}

TEST(MelCpu, ViewOfAnotherSizeIsRefused) {
  const MelCpu plan(mel_preset("hifigan"));
  MelCpu::Workspace workspace(plan);
  std::vector<float> room(80 * 8);
  const auto clip = made_clip(1024);
  const auto apply = [&](size_t frames, size_t stride) {
    plan.apply(std::span<const int16_t>(clip), workspace, {room.data(), frames, stride});
  };
  EXPECT_THAT(error_message([&] { apply(5, 5); }), HasSubstr("expected room for 4 frames"));
  EXPECT_THAT(error_message([&] { apply(4, 3); }), HasSubstr("of stride 3"));
}

TEST(MelCpu, ThreadsShareAPlan) {
  const MelCpu plan(mel_preset("hifigan"));
  std::vector<std::vector<int16_t>> clips;
  std::vector<Matrix> wanted;
  for (uint64_t i = 0; i < 4; ++i) {
    clips.push_back(made_clip(20000 + 999 * i, i));
    wanted.push_back(mel_of(plan, clips.back()));
  }
  seda::testing_support::run_threads(2, [&](size_t) {
    for (size_t round = 0; round < 3; ++round) {
      for (size_t i = 0; i < clips.size(); ++i)
        EXPECT_EQ(mel_of(plan, clips[i]).values, wanted[i].values);
    }
  });
}

TEST(MelCpu, OptionsAreChecked) {
  MelOptions options;
  options.n_fft = 1022;
  EXPECT_THAT(error_message([&] { MelCpu{options}; }), HasSubstr("n_fft"));
}

TEST(MelCpu, ApplyAllocatesNothing) {
  using seda::testing_support::allocations;
  if (!seda::testing_support::allocations_are_counted()) GTEST_SKIP() << "a sanitizer allocates";
  for (const auto name : mel_preset_names()) {
    const MelCpu plan(mel_preset(name));
    MelCpu::Workspace workspace(plan);
    for (const size_t length : {1U, 700U, 30000U, 256U * 40U}) {
      const auto clip = made_clip(length);
      const auto floats = to_floats(clip);
      const auto frames = static_cast<size_t>(plan.frames(static_cast<int64_t>(length)));
      std::vector<float> mel(80 * frames);
      const size_t before = allocations().count;
      plan.apply(std::span<const int16_t>(clip), workspace, {mel.data(), frames, frames});
      plan.apply(std::span<const float>(floats), workspace, {mel.data(), frames, frames});
      EXPECT_EQ(allocations().count, before) << name << " " << length;
    }
  }
}

}  // namespace
}  // namespace seda::audio
