// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numeric>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/align_clips.h"
#include "tests/model/align_reference.h"

namespace seda::model {
namespace {

using audio::testing_support::platform;
using testing::Each;
using testing::ElementsAre;
using testing_support::Aligned;
using testing_support::best_of_all_paths;
using testing_support::best_score;
using testing_support::Clips;
using testing_support::Gpu;
using testing_support::kInfinity;
using testing_support::kNaN;

/// What holds on the CPU and on a GPU alike; skipped where there is no GPU.
class AlignTest : public testing::TestWithParam<device::DeviceKind> {
 protected:
  void SetUp() override {
    if (GetParam() == device::DeviceKind::cpu) return;
    if (const std::string why = platform().cuda_absence(); !why.empty()) GTEST_SKIP() << why;
    gpu_.emplace();
  }

  Aligned run(const Clips& clips) {
    return gpu_ ? testing_support::run_cuda(*gpu_, clips) : testing_support::run_cpu(clips);
  }

 private:
  std::optional<Gpu> gpu_;
};

/// Every frame belongs to one token and every token has one, in order; nothing beyond.
void expect_path(const Clips& clips, const Aligned& found, int clip) {
  const std::vector<int32_t> durations = found.durations_of(clip);
  int frame = 0;
  for (int s = 0; s < clips.tokens; ++s) {
    const int duration = durations[static_cast<size_t>(s)];
    ASSERT_GE(duration, 0) << "clip " << clip << " token " << s;
    ASSERT_EQ(duration > 0, s < clips.tokens_of(clip)) << "clip " << clip << " token " << s;
    for (int t = 0; t < clips.frames; ++t) {
      ASSERT_EQ(found.path_at(clip, s, t), t >= frame && t < frame + duration)
          << "clip " << clip << " token " << s << " frame " << t;
    }
    frame += duration;
  }
  EXPECT_EQ(frame, clips.frames_of(clip)) << "clip " << clip;
  EXPECT_EQ(found.status_of(clip), AlignStatus::aligned);
}

/// The best score, but for the rounding of sums in float.
void expect_best(const Clips& clips, const Aligned& found) {
  for (int i = 0; i < clips.batch; ++i) {
    expect_path(clips, found, i);
    const double best = best_score(clips, i);
    const double tolerance = 1e-6 * (1 + std::abs(best));
    EXPECT_NEAR(testing_support::score(clips, i, found.durations_of(i)), best, tolerance)
        << "clip " << i << ": " << clips.tokens_of(i) << " tokens, " << clips.frames_of(i)
        << " frames";
  }
}

Clips drawn(int batch, int tokens, int frames, uint64_t seed) {
  Random random(seed);
  Clips clips(batch, tokens, frames);
  clips.draw_lengths(random);
  clips.fill([&] { return static_cast<float>(random.uniform(-20, 0)); });
  return clips;
}

/// One clip of whole numbers, so that sums are exact and ties frequent.
Clips drawn_whole(int tokens, int frames, Random& random) {
  Clips clips(1, tokens, frames);
  clips.fill([&] { return -static_cast<float>(random.below(5)); });
  return clips;
}

template <typename Values>
bool guarded(const Values& values, typename Values::value_type poison) {
  const std::vector<typename Values::value_type> guard(Aligned::kGuard, poison);
  return std::equal(guard.begin(), guard.end(), values.begin()) &&
         std::equal(guard.begin(), guard.end(), values.end() - Aligned::kGuard);
}

TEST_P(AlignTest, FindsTheBestOfAllPathsOfTinyClips) {
  Random random(1);
  for (int tokens = 1; tokens <= 6; ++tokens) {
    for (int frames = tokens; frames <= 11; ++frames) {
      const Clips clips = drawn_whole(tokens, frames, random);
      const Aligned found = run(clips);
      expect_path(clips, found, 0);
      EXPECT_EQ(testing_support::score(clips, 0, found.durations_of(0)),
                best_of_all_paths(clips, 0))
          << tokens << " tokens, " << frames << " frames";
    }
  }
}

TEST_P(AlignTest, FindsTheBestPathsOfABatchOfManyLengths) {
  expect_best(drawn(33, 70, 301, 2), run(drawn(33, 70, 301, 2)));
  expect_best(drawn(33, 129, 256, 3), run(drawn(33, 129, 256, 3)));
}

TEST_P(AlignTest, FindsTheBestPathsOfLongClips) {
  const Clips square = drawn(3, 1024, 1024, 4);
  expect_best(square, run(square));
  const Clips wide = drawn(2, 1100, 4100, 5);
  expect_best(wide, run(wide));
}

TEST_P(AlignTest, FindsThePathThatWasPlanted) {
  Clips clips(1, 4, 9);
  const std::vector<int32_t> planted = {2, 1, 5, 1};
  clips.fill([] { return -1.0F; });
  for (int s = 0, t = 0; s < 4; ++s) {
    for (const int end = t + planted[static_cast<size_t>(s)]; t < end; ++t)
      clips.at(0, s, t) = 0;
  }
  EXPECT_EQ(run(clips).durations_of(0), planted);
}

TEST_P(AlignTest, StaysWhereStayingAndAdvancingAreEqual) {
  Clips clips(1, 3, 6);
  clips.fill([] { return 0.0F; });
  EXPECT_THAT(run(clips).durations_of(0), ElementsAre(1, 1, 4));
}

TEST_P(AlignTest, GivesOneTokenAllFrames) {
  Clips clips(2, 1, 40);
  clips.frame_lengths = {40, 1};
  clips.fill([] { return -3.0F; });
  const Aligned found = run(clips);
  EXPECT_THAT(found.durations_of(0), ElementsAre(40));
  EXPECT_THAT(found.durations_of(1), ElementsAre(1));
}

TEST_P(AlignTest, GivesEachTokenOneFrameWhereThereAreAsMany) {
  for (const int size : {1, 2, 31, 32, 33, 64, 100}) {
    Random random(6);
    const Clips clips = drawn_whole(size, size, random);
    const Aligned found = run(clips);
    expect_path(clips, found, 0);
    EXPECT_THAT(found.durations_of(0), Each(1));
  }
}

TEST_P(AlignTest, FlagsAClipWithFewerFramesThanTokens) {
  Clips clips(2, 5, 8);
  clips.token_lengths = {4, 5};
  clips.frame_lengths = {3, 8};
  clips.fill([] { return -1.0F; });
  const Aligned found = run(clips);
  EXPECT_EQ(found.status_of(0), AlignStatus::no_path);
  EXPECT_EQ(found.status_of(1), AlignStatus::aligned);
  EXPECT_THAT(found.durations_of(0), ElementsAre(1, 1, 1, 0, 0));
  for (int s = 0; s < 5; ++s) {
    for (int t = 0; t < 8; ++t)
      EXPECT_EQ(found.path_at(0, s, t), s == t && s < 3) << s << ' ' << t;
  }
}

TEST_P(AlignTest, GivesNothingToAClipOfNothing) {
  Clips clips(3, 2, 4);
  clips.token_lengths = {0, 0, 2};
  clips.frame_lengths = {0, 4, 0};
  const Aligned found = run(clips);
  for (int i = 0; i < 3; ++i)
    EXPECT_THAT(found.durations_of(i), ElementsAre(0, 0));
  EXPECT_EQ(found.status_of(0), AlignStatus::aligned);
  EXPECT_EQ(found.status_of(1), AlignStatus::no_path);
  EXPECT_EQ(found.status_of(2), AlignStatus::no_path);
}

TEST_P(AlignTest, TakesLengthsOutsideTheArrayAsTheNearestInside) {
  Clips clips(2, 3, 7);
  clips.fill([] { return -1.0F; });
  clips.token_lengths = {99, -5};
  clips.frame_lengths = {1 << 30, 7};
  const Aligned found = run(clips);
  EXPECT_THAT(found.durations_of(0), ElementsAre(1, 1, 5));
  EXPECT_THAT(found.durations_of(1), ElementsAre(0, 0, 0));
  EXPECT_EQ(found.status_of(1), AlignStatus::no_path);
}

TEST_P(AlignTest, GoesAroundImpossibleValues) {
  for (const float impossible : {-kInfinity, kNaN, kInfinity}) {
    Clips clips(1, 3, 7);
    clips.fill([] { return -1.0F; });
    for (const int frame : {3, 4, 5})
      clips.at(0, 2, frame) = impossible;
    EXPECT_THAT(run(clips).durations_of(0), ElementsAre(1, 5, 1)) << impossible;
  }
}

TEST_P(AlignTest, FindsSomePathWhereEveryOneIsImpossible) {
  for (const float value : {-kInfinity, kNaN, kInfinity, -3e38F, 3e38F}) {
    Clips clips(2, 40, 75);
    clips.token_lengths = {40, 33};
    clips.frame_lengths = {75, 33};
    clips.fill([&] { return value; });
    const Aligned found = run(clips);
    expect_path(clips, found, 0);
    expect_path(clips, found, 1);
  }
}

TEST_P(AlignTest, WritesNothingOutside) {
  for (const int frames : {1, 31, 64, 97}) {
    const Clips clips = drawn(5, 37, frames, 7);
    const Aligned found = run(clips);
    EXPECT_TRUE(guarded(found.durations, Aligned::kPoison));
    EXPECT_TRUE(guarded(found.path, Aligned::kPoisonByte));
    EXPECT_TRUE(guarded(found.status, Aligned::kPoisonByte));
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, AlignTest,
                         testing::Values(device::DeviceKind::cpu, device::DeviceKind::cuda),
                         [](const auto& of) {
                           return of.param == device::DeviceKind::cpu ? "cpu" : "cuda";
                         });

TEST(AlignCpu, GivesTheSameWithAnyNumberOfThreads) {
  const Clips clips = drawn(33, 50, 200, 8);
  const Aligned alone = testing_support::run_cpu(clips, 1);
  EXPECT_EQ(testing_support::run_cpu(clips, 4), alone);
  EXPECT_EQ(testing_support::run_cpu(clips, 0), alone);
}

TEST(AlignCpu, WritesDurationsAlone) {
  const Clips clips = drawn(4, 20, 60, 9);
  std::vector<int32_t> durations(4 * 20, Aligned::kPoison);
  align_cpu(clips.input(), {.durations = durations.data()});
  const Aligned whole = testing_support::run_cpu(clips);
  EXPECT_TRUE(
      std::equal(durations.begin(), durations.end(), whole.durations.begin() + Aligned::kGuard));
}

}  // namespace
}  // namespace seda::model
