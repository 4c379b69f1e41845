// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/base/error.h"
#include "seda/train/engine/voice_torch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"
#include "tests/train/small_engine.h"

namespace seda::train {
namespace {

using seda::testing_support::error_message;
using seda::testing_support::TemporaryFolder;
using testing::HasSubstr;
using namespace testing_support;

class VoiceTest : public testing::Test {
 protected:
  void SetUp() override {
    torch::set_num_threads(1);
    engine_ = make_torch_engine(small_options(place_));
    train(*engine_, make_batch(place_, kShape), 0, 3, 1e-2);
    const EngineState state = engine_->state();
    write_safetensors(folder_.path() / "model.safetensors", state.average);
  }

  SafetensorsFile weights() const { return SafetensorsFile(folder_.path() / "model.safetensors"); }

  VoiceOptions options() const {
    return {
        .model = small_options(place_).model, .stream = place_.stream, .mixed_precision = false};
  }

  Place place_;
  TemporaryFolder folder_;
  std::unique_ptr<Engine> engine_;
  std::vector<model::SpeechRequest> requests_{request({1, 2, 3, 4}, 2)};
};

TEST_F(VoiceTest, SpeaksAsTheEngineDid) {
  const auto voice = make_torch_voice(options(), weights());
  const model::SpeechOptions how{.steps = 3, .seed = 5};
  const auto expected = engine_->speak(requests_, how);
  const auto found = voice->speak(requests_, how);
  EXPECT_EQ(found[0].durations, expected[0].durations);
  EXPECT_EQ(found[0].mel.values, expected[0].mel.values);
  EXPECT_EQ(voice->facts().parameters, engine_->facts().parameters);
}

TEST_F(VoiceTest, WhatItHeedsEndsItBetweenLayers) {
  int calls = 0;
  int last = 0;
  VoiceOptions heeding = options();
  heeding.heed = [&] {
    if (++calls == last) throw_error(ErrorKind::interrupted, "stop");
  };
  const auto voice = make_torch_voice(heeding, weights());
  const model::SpeechOptions how{.steps = 3, .seed = 5};
  const auto whole = voice->speak(requests_, how);
  EXPECT_GE(calls, 2 * 3) << "the decoder has more than a layer, and three steps";
  last = calls + 4;
  EXPECT_EQ(error_message([&] { voice->speak(requests_, how); }), "stop");
  EXPECT_EQ(calls, last);
  EXPECT_EQ(voice->speak(requests_, how)[0].mel.values, whole[0].mel.values);
}

TEST_F(VoiceTest, HalvesItsWeightsInMixedPrecision) {
  VoiceOptions half = options();
  half.mixed_precision = true;
  const auto voice = make_torch_voice(half, weights());
  EXPECT_EQ(voice->facts().weight_bytes, 2 * static_cast<uint64_t>(voice->facts().parameters));
  EXPECT_GT(voice->speak(requests_, {.steps = 2})[0].mel.frames, 0);
}

TEST_F(VoiceTest, SaysInBf16NearlyWhatItSaysInFp32) {
  VoiceOptions half = options();
  half.mixed_precision = true;
  const std::vector<model::SpeechRequest> requests{
      request({1, 2, 3, 4, 5, 6, 1, 3, 5, 2, 4, 6, 1, 2, 3, 4}, 2)};
  // So fast that every token takes its one frame: mels of both then have the same frames.
  const model::SpeechOptions how{.steps = 4, .rate = 1000, .seed = 5};
  const auto exact = make_torch_voice(options(), weights())->speak(requests, how)[0].mel;
  const auto rounded = make_torch_voice(half, weights())->speak(requests, how)[0].mel;
  ASSERT_EQ(exact.frames, 16);
  ASSERT_EQ(rounded.frames, 16);
  double sum = 0;
  float largest = 0;
  for (size_t i = 0; i < exact.values.size(); ++i) {
    const float distance = std::abs(exact.values[i] - rounded.values[i]);
    sum += distance;
    largest = std::max(largest, distance);
  }
  EXPECT_GT(largest, 0.0F) << "bf16 was not taken";
  EXPECT_LT(sum / static_cast<double>(exact.values.size()), 0.02);
  EXPECT_LT(largest, 0.1F);
}

TEST_F(VoiceTest, WeightsOfAnotherModelAreRefused) {
  VoiceOptions other = options();
  other.model.hidden_size = 32;
  EXPECT_THAT(error_message([&] { make_torch_voice(other, weights()); }),
              HasSubstr("expected F32 [32, 40], found F32 [16, 40]"));
}

}  // namespace
}  // namespace seda::train
