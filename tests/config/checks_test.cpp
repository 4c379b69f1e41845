// SPDX-License-Identifier: Apache-2.0
#include "seda/config/checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/support.h"

namespace seda::config {
namespace {

using testing::HasSubstr;

TEST(Checks, BandEdgesLieInOrder) {
  EXPECT_EQ(problems_of("data:\n  mel:\n    fmin: 8000\n    fmax: 80\n"),
            "seda.yaml:4:5: data.mel.fmin is 8000 (seda.yaml:3), but data.mel.fmax is 80 "
            "(seda.yaml:4); the lower edge must lie below the upper");
  EXPECT_THAT(problems_of("data: {mel: {fmin: 80, fmax: 80}}"), HasSubstr("must lie below"));
  EXPECT_EQ(problems_of("data: {mel: {fmin: 0, fmax: 8000}}"), "");
}

TEST(Checks, NothingLiesAboveHalfTheSampleRate) {
  EXPECT_THAT(problems_of("data: {mel: {sample_rate: 16000, fmax: 8001}}"),
              HasSubstr("nothing is above half the sample rate, 8000 Hz"));
  EXPECT_EQ(problems_of("data: {mel: {sample_rate: 16000, fmax: 8000}}"), "");
  EXPECT_THAT(problems_of("data: {mel: {sample_rate: 16000, fmin: 8000}}"),
              HasSubstr("data.mel.fmin is 8000"));
}

TEST(Checks, WindowFitsTransformAndHopFitsWindow) {
  EXPECT_THAT(problems_of("data: {mel: {n_fft: 1024, win_length: 1025}}"),
              HasSubstr("the window must fit the transform"));
  EXPECT_THAT(problems_of("data: {mel: {win_length: 512, hop_length: 513}}"),
              HasSubstr("a longer hop skips samples"));
  EXPECT_THAT(problems_of("data: {mel: {n_fft: 512, hop_length: 513}}"),
              HasSubstr("a longer hop skips samples"));
  EXPECT_EQ(problems_of("data: {mel: {n_fft: 1024, win_length: 1024, hop_length: 1024}}"), "");
}

TEST(Checks, AClipHasOneLevel) {
  EXPECT_EQ(problems_of("data:\n  audio:\n    loudness: -23\n    peak: -3\n"),
            "seda.yaml:4:5: data.audio.loudness is -23 (seda.yaml:3), but data.audio.peak is -3 "
            "(seda.yaml:4); a clip has one level; set one of them");
  EXPECT_EQ(problems_of("data: {audio: {loudness: -23, peak: none}}"), "");
}

TEST(Checks, ABudgetOfFramesNeedsFixedShapes) {
  EXPECT_EQ(problems_of("data:\n  batch_frames: 8000\n  pad_to_fixed_length: false\n"),
            "seda.yaml:3:3: data.batch_frames is 8000 (seda.yaml:2), but data.pad_to_fixed_length "
            "is false (seda.yaml:3); only fixed shapes say how many clips fit a budget of frames; "
            "turn them on, or leave data.batch_frames out");
  EXPECT_EQ(problems_of("data: {batch_frames: none, pad_to_fixed_length: false}"), "");
}

TEST(Checks, AFlagOfTheBatchSizeIsNotPassedOverForABudgetOfFrames) {
  EXPECT_EQ(problems_of("data: {batch_frames: 8000, batch_size: 16}"), "")
      << "the vocoder's stage takes clips";
  Config config = parse_good("data: {batch_frames: 8000}");
  config.set_flag(*find_flag("--batch-size"), "8");
  EXPECT_THAT(message_of([&] { config.check(); }),
              HasSubstr("data.batch_frames is 8000 (seda.yaml:1), but data.batch_size is 8 "
                        "(--batch-size); a batch is measured by frames or by clips"));
  config.set_flag(*find_flag("--batch-frames"), "none");
  EXPECT_NO_THROW(config.check());
}

TEST(Checks, HeadsDivideTheWidth) {
  EXPECT_THAT(problems_of("model: {hidden_size: 256, heads: 3}"), HasSubstr("evenly"));
  EXPECT_EQ(problems_of("model: {hidden_size: 256, heads: 4}"), "");
  EXPECT_EQ(problems_of("model: {heads: 3}"), "") << "the size is not given";
}

TEST(Checks, PhonemeTokensNeedPhonemes) {
  EXPECT_THAT(problems_of("data: {text: {tokenizer: phonemes, phonemes: false}}"),
              HasSubstr("turn phonemes on"));
  EXPECT_EQ(problems_of("data: {text: {tokenizer: characters, phonemes: false}}"), "");
  EXPECT_THAT(problems_of("data: {text: {tokenizer: characters, phonemes: true}}"),
              HasSubstr("data.text.phonemes"));
  EXPECT_THAT(problems_of("data: {text: {tokenizer: characters, tokenizer_model: x}}"),
              HasSubstr("data.text.tokenizer_model"));
}

TEST(Checks, ResumeAndResetExclude) {
  EXPECT_THAT(problems_of("training: {resume: runs/a, reset: true}"), HasSubstr("start anew"));
}

TEST(Checks, FlagsAreCheckedToo) {
  Config config = parse_good("training: {resume: runs/a}");
  config.set_flag(*find_flag("--reset-training"));
  EXPECT_EQ(message_of([&] { config.check(); }),
            "seda.yaml:1:12: training.resume is runs/a (seda.yaml:1), but training.reset is true "
            "(--reset-training); either go on from it or start anew");
  EXPECT_NO_THROW(Config().check());
}

TEST(Checks, AShareOfPlantedFaultsIsAtMostAll) {
  EXPECT_EQ(problems_of("debug:\n  inject: [slow_clip, bad_clips=1]\n"), "");
  const std::string problem = problems_of("debug:\n  inject: [slow_clip=5, bad_clips=2]\n");
  EXPECT_THAT(problem, HasSubstr(":2:"));
  EXPECT_THAT(problem, HasSubstr("at most 1, found bad_clips=2"));
}

}  // namespace
}  // namespace seda::config
