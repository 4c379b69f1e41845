// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/model/voice_model.h"
#include "tests/model/model_clips.h"

namespace seda::model {
namespace {

using testing_support::alone;
using testing_support::drawn_batch;
using testing_support::ints;
using testing_support::largest_difference;
using testing_support::shake;
using testing_support::small_model;
using testing_support::small_options;
using testing_support::speech_of;

class SpeakTest : public testing::Test {
 protected:
  SpeakTest() {
    shake(model_);
    model_->eval();
    speech_ = speech_of(drawn_batch(small_options(), {4, 7}, {9, 12}));
  }

  SpeechTensors spoken() { return model_->speak(speech_, options_); }

  /// Every token takes so many frames.
  void fix_durations(double frames) {
    auto weights = model_->named_parameters();
    weights["duration_predictor.to_log.weight"].zero_();
    weights["duration_predictor.to_log.bias"].fill_(std::log(frames));
  }

  torch::NoGradGuard no_grad_;
  VoiceModel model_ = small_model();
  SpeechBatch speech_;
  SpeechOptions options_ = {.steps = 3, .seed = 7};
};

TEST_F(SpeakTest, LengthsFollowDurations) {
  fix_durations(3);
  const SpeechTensors said = spoken();
  EXPECT_TRUE(torch::equal(said.lengths, ints({12, 21})));
  EXPECT_EQ(said.mel.sizes(), torch::IntArrayRef({2, 6, 21}));
  EXPECT_TRUE(torch::equal(said.durations[0], ints({3, 3, 3, 3, 0, 0, 0})));
  EXPECT_EQ(said.mel.scalar_type(), torch::kFloat32);
  EXPECT_TRUE(said.mel.isfinite().all().item<bool>());
}

TEST_F(SpeakTest, TwiceTheRateTakesHalfTheFrames) {
  fix_durations(8);
  options_.rate = 2;
  EXPECT_TRUE(torch::equal(spoken().lengths, ints({16, 28})));
}

TEST_F(SpeakTest, ATokenTakesOneFrameAtLeast) {
  fix_durations(2);
  options_.rate = 100;
  EXPECT_TRUE(torch::equal(spoken().lengths, ints({4, 7})));
}

TEST_F(SpeakTest, SameSeedSaysTheSame) {
  const auto first = spoken().mel;
  EXPECT_TRUE(torch::equal(spoken().mel, first));
  options_.seed = 8;
  EXPECT_FALSE(torch::equal(spoken().mel, first));
}

TEST_F(SpeakTest, WithoutTemperatureNoSeedMatters) {
  options_.temperature = 0;
  const auto first = spoken().mel;
  options_.seed = 8;
  EXPECT_TRUE(torch::equal(spoken().mel, first));
}

TEST_F(SpeakTest, GuidanceAndSolverAreHeeded) {
  const auto plain = spoken().mel;
  options_.guidance = 1;
  const auto guided = spoken().mel;
  EXPECT_GT(largest_difference(guided, plain), 1e-3);
  options_.solver = Solver::midpoint;
  EXPECT_GT(largest_difference(spoken().mel, guided), 1e-6);
}

TEST_F(SpeakTest, ARowAloneSaysWhatItSaysInABatch) {
  options_.guidance = 0.5;
  const auto batch = drawn_batch(small_options(), {4, 7}, {9, 12});
  const SpeechTensors together = spoken();
  speech_ = speech_of(alone(batch, 0));
  const SpeechTensors by_itself = spoken();
  const int64_t frames = by_itself.lengths[0].item<int32_t>();
  EXPECT_EQ(together.lengths[0].item<int32_t>(), frames);
  EXPECT_LT(largest_difference(together.mel[0].narrow(1, 0, frames), by_itself.mel[0]), 1e-4);
}

TEST_F(SpeakTest, AReferenceTakesThePlaceOfTheSpeaker) {
  torch::manual_seed(4);
  speech_.references = torch::randn({2, 6, 15});
  speech_.reference_lengths = ints({0, 10});
  fix_durations(3);
  const auto with_reference = spoken().mel;
  speech_.speakers = ints({0, 2});
  EXPECT_TRUE(torch::equal(spoken().mel[1], with_reference[1])) << "the speaker mattered";
  speech_.references[1].slice(1, 10).fill_(9);
  EXPECT_LT(largest_difference(spoken().mel, with_reference), 1e-5) << "padding mattered";
  speech_.references[1].slice(1, 0, 10).fill_(9);
  EXPECT_GT(largest_difference(spoken().mel[1], with_reference[1]), 1e-4);
  EXPECT_LT(largest_difference(spoken().mel[0], with_reference[0]), 1e-5);
}

TEST_F(SpeakTest, ARowWithoutTokensSaysNothing) {
  fix_durations(3);
  speech_.token_lengths = ints({0, 7});
  const SpeechTensors said = spoken();
  EXPECT_TRUE(torch::equal(said.lengths, ints({0, 21})));
  EXPECT_TRUE(said.mel.isfinite().all().item<bool>());
}

}  // namespace
}  // namespace seda::model
