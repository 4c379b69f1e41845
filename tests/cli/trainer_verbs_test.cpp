// SPDX-License-Identifier: Apache-2.0
// The verbs that need torch, as people call them: what their JSON says, and what they refuse.
#include <fstream>

#include <gmock/gmock.h>

#include "seda/base/cpu.h"
#include "seda/base/json.h"
#include "tests/cli/hostile_place.h"
#include "tests/support/temporary_folder.h"

namespace seda::cli {
namespace {

using namespace testing_support;
using seda::testing_support::read_file;
using seda::testing_support::TemporaryFolder;
using testing::ContainsRegex;
using testing::Gt;
using testing::HasSubstr;

/// A corpus, and the program called beside it with the devices of this machine hidden.
class TrainerVerbs : public testing::Test {
 protected:
  TrainerVerbs() { write_place(folder_.path(), 6); }

  void SetUp() override {
    if (!finds_torch(kPrefix, folder_.path())) GTEST_SKIP() << "no torch";
  }

  ProgramResult run(const std::string& arguments) const {
    return run_shell(kPrefix + program() + " " + arguments, folder_.path());
  }

  Json json(const std::string& arguments) const {
    const auto result = run(arguments + " --json");
    EXPECT_EQ(result.exit_code, 0) << arguments << "\n" << result.err;
    return parse_json(result.out, arguments);
  }

  static constexpr const char* kPrefix = "env OMP_NUM_THREADS=1 CUDA_VISIBLE_DEVICES= ";
  TemporaryFolder folder_;
};

TEST_F(TrainerVerbs, SynthSaysInWhatPrecisionItSpokeAndWhereItsTimeWent) {
  json("train corpus --config voice.yaml --checkpoint-dir run");
  const std::string synth = "synth --checkpoint run --text 'Clip 1.' --output ";
  const Json by_itself = json(synth + "own.wav");
  const Json exact = json(synth + "exact.wav --no-mixed-precision");
  EXPECT_EQ(by_itself["precision"], cpu_info().bf16 ? "bf16" : "fp32");
  EXPECT_EQ(exact["precision"], "fp32");
  for (const Json& report : {by_itself, exact}) {
    EXPECT_THAT(report["voice_seconds"].get<double>(), Gt(0));
    EXPECT_THAT(report["vocoder_seconds"].get<double>(), Gt(0));
    EXPECT_LE(report["voice_seconds"].get<double>() + report["vocoder_seconds"].get<double>(),
              report["synthesis_seconds"].get<double>());
  }
  const bool alike = read_file(folder_ / "own.wav") == read_file(folder_ / "exact.wav");
  EXPECT_EQ(alike, !cpu_info().bf16) << "another precision rounds otherwise";
}

TEST_F(TrainerVerbs, AreAsQuietAsTheyWereToldAfterTheTrainerWasLoaded) {
  const std::string train = "train corpus --config voice.yaml --checkpoint-dir run ";
  const auto quiet = run(train + "-q");
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.err, "");
  const auto verbose = run("synth --checkpoint run --text a -v");
  EXPECT_THAT(verbose.err, HasSubstr(" info voice: run/")) << "time and thread before each line";
}

TEST_F(TrainerVerbs, ProfileStepSaysWhatItsBatchesHad) {
  const std::string profile = "profile step corpus --config voice.yaml --num-steps 4 ";
  const Json fixed = json(profile);
  EXPECT_EQ(fixed["batch_size"], 2);
  EXPECT_EQ(fixed["batch_frames"], nullptr);
  EXPECT_DOUBLE_EQ(fixed["clips_per_batch"], 2);
  EXPECT_THAT(fixed["frames_per_batch"].get<double>(), Gt(100)) << "two clips of a second";
  EXPECT_THAT(fixed["model_flops"].get<double>(), Gt(1e6));
  EXPECT_EQ(fixed["model_flop_utilisation"], nullptr) << "nobody knows the peak of a CPU";
  EXPECT_EQ(fixed["larger_batch"]["batch_size"], 4);
  const Json by_frames = json(profile + "--batch-frames 100");
  EXPECT_EQ(by_frames["batch_size"], nullptr);
  EXPECT_EQ(by_frames["batch_frames"], 100);
  EXPECT_DOUBLE_EQ(by_frames["clips_per_batch"], 1);
  const Json own_shapes = json(profile + "--disable-static-shapes");
  EXPECT_EQ(own_shapes["model_flops"], nullptr) << "each batch has its own shape";
}

TEST_F(TrainerVerbs, ProfileStepSaysHowManyOfTheStepsWereTimed) {
  EXPECT_THAT(run("profile step corpus --config voice.yaml --num-steps 4").out,
              ContainsRegex("^step +.* ± .* over [1-3] timed steps? of 2 clips on cpu\n"))
      << "the first of a shape is not";
}

TEST_F(TrainerVerbs, ProfileDualHasNoBudgetWhereNoneBinds) {
  const Json dual = json("profile dual corpus --config voice.yaml --num-steps 4");
  ASSERT_EQ(dual["gpus"].size(), 2u);
  for (const Json& role : dual["gpus"])
    EXPECT_EQ(role["budget_bytes"], nullptr);
}

TEST_F(TrainerVerbs, TheVocodersStageTakesClipsWhateverTheFileSaysOfFrames) {
  std::ofstream(folder_ / "both.yaml")
      << read_file(folder_ / "voice.yaml").replace(0, 6, "data:\n  batch_frames: 200\n");
  const std::string train = "train corpus --config both.yaml --batch-size 2 --max-steps 1 ";
  const auto voice = run(train);
  EXPECT_EQ(voice.exit_code, 2) << voice.err;
  EXPECT_THAT(voice.err, HasSubstr("data.batch_frames is 200"));
  const auto vocoder = run(train + "--stage vocoder");
  EXPECT_EQ(vocoder.exit_code, 0) << vocoder.err;
}

TEST_F(TrainerVerbs, AfterARestartOfTheLauncherEitherStageGoesOn) {
  const std::string train = "train corpus --config voice.yaml --max-steps 1 --reset-training ";
  for (const char* stage : {"", "--stage vocoder --model-size tiny --batch-size 1"}) {
    json(train + stage);
    const auto again = run_shell("env TORCHELASTIC_RESTART_COUNT=1 " + std::string(kPrefix) +
                                     program() + " " + train + stage + " --json",
                                 folder_.path());
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(parse_json(again.out, "report")["run_steps"], 0) << stage;
  }
}

TEST_F(TrainerVerbs, CtrlCLeavesTheTimelineOfTheRun) {
  const std::string train =
      "train corpus --config voice.yaml --max-steps 1000000 --checkpoint-dir run --trace t.json";
  const std::string begun = "while [ ! -s run/log.jsonl ] && kill -0 $train; do :; done; ";
  const auto result = run_shell(kPrefix + program() + " " + train + " & train=$!; " + begun +
                                    "kill -INT $train; wait $train; echo code $?",
                                folder_.path());
  EXPECT_EQ(result.out, "code 130\n") << result.err;
  EXPECT_THAT(result.err, HasSubstr("timeline: t.json"));
  EXPECT_THAT(read_file(folder_ / "t.json"), HasSubstr("\"read\""));
}

}  // namespace
}  // namespace seda::cli
