// SPDX-License-Identifier: Apache-2.0
// The loop around a vocoder's engine, with one that remembers what it was given.
#include "seda/train/train_vocoder.h"

#include <csignal>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/file.h"
#include "seda/base/interrupt.h"
#include "seda/train/vocoder_setup.h"
#include "tests/feed/clips.h"
#include "tests/support/error_message.h"
#include "tests/train/fake_engine.h"
#include "tests/train/training_config.h"

namespace seda::train {
namespace {

using ::seda::testing_support::error_message;
using ::seda::testing_support::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;
using testing_support::FakeLibrary;

class VocoderTraining : public testing::Test {
 protected:
  void set(const char* key, config::Value value) {
    testing_support::set(config_, key, std::move(value));
  }

  TrainOptions options(const char* name) const {
    config::Config config = vocoder_config(config_);
    config.set("training.checkpoint_dir", (runs_ / name).string(), {});
    return train_options(config, corpus_.path());
  }
  VocoderReport run(const char* name) const {
    return train_vocoder(options(name), library_, platform_);
  }
  /// Losses of every log point, which are of every step.
  std::vector<double> losses(const char* name) const {
    std::vector<double> out;
    std::ifstream lines(runs_ / name / "log.jsonl");
    for (std::string line; std::getline(lines, line);) {
      const Json value = parse_json(line, "log");
      if (value.contains("loss")) out.push_back(value["loss"]["mel"].get<double>());
    }
    return out;
  }

  feed::Clips corpus_{20};
  TemporaryFolder runs_;
  config::Config config_ = [] {
    config::Config config = testing_support::training_config();
    testing_support::set(config, "training.log_every", int64_t{1});
    return config;
  }();
  FakeLibrary library_;
  device::Platform platform_;
};

TEST_F(VocoderTraining, TakesItsStepsAndReportsThem) {
  const VocoderReport report = run("a");
  EXPECT_EQ(report.updates, 12u);
  EXPECT_EQ(report.run_updates, 12u);
  EXPECT_EQ(report.checkpoint.filename(), "step-00000012");
  EXPECT_TRUE(report.validation.has_value());
  EXPECT_NEAR(report.corpus_seconds, 16 * 2100 / 22050.0, 0.3);
  EXPECT_EQ(report.sounds, "in memory");
  EXPECT_THAT(report.plan, SizeIs(4));
  EXPECT_THAT(report.plan[1], AllOf(HasSubstr("network normal"), HasSubstr("from step 1001 on")));
  EXPECT_THAT(report.plan[2], HasSubstr("4 pieces of 64 frames"));
  EXPECT_THAT(report_text(report), AllOf(HasSubstr("steps      12"), HasSubstr("--vocoder")));
  EXPECT_EQ(to_json(report).at("steps"), 12);
  EXPECT_THAT(losses("a"), SizeIs(12));
}

TEST_F(VocoderTraining, TheFirstStepHasNoSpeed) {
  run("a");
  std::ifstream lines(runs_ / "a/log.jsonl");
  std::string line;
  std::getline(lines, line);
  const Json first = parse_json(line, "log");
  EXPECT_EQ(first["steps_per_second"], nullptr);
  EXPECT_EQ(first["sound_seconds_per_second"], nullptr);
  std::getline(lines, line);
  EXPECT_GT(parse_json(line, "log")["steps_per_second"], 0);
}

TEST_F(VocoderTraining, HasDefaultsOfItsOwnWhereNobodySaidOtherwise) {
  const config::Config changed = vocoder_config(config_);
  EXPECT_EQ(changed.text("model.size"), "normal");
  EXPECT_EQ(changed.number("training.beta1"), 0.8);
  EXPECT_TRUE(changed.is_auto("training.gradient_clip_norm"));
  EXPECT_EQ(changed.text("training.checkpoint_dir"), "checkpoints/vocoder");
  EXPECT_EQ(changed.source("training.lr").text(), "--stage vocoder");
  config_.set("training.checkpoint_dir", std::string("runs"),
              {.origin = config::Origin::file, .place = {}, .flag = {}});
  config_.set("training.beta2", 0.98, {.origin = config::Origin::file, .place = {}, .flag = {}});
  EXPECT_EQ(vocoder_config(config_).text("training.checkpoint_dir"), "runs/vocoder");
  EXPECT_EQ(vocoder_config(config_).number("training.beta2"), 0.99) << "the file says the default";
  set("training.checkpoint_dir", std::string("mine"));
  EXPECT_EQ(vocoder_config(config_).text("training.checkpoint_dir"), "mine");
  set("model.size", std::string("tiny"));
  set("training.lr", 1e-3);
  EXPECT_EQ(vocoder_config(config_).text("model.size"), "tiny");
  EXPECT_EQ(vocoder_config(config_).number("training.lr"), 1e-3);
}

TEST_F(VocoderTraining, LeavesTheVoicesTraceAndEventsAlone) {
  const config::Source file{.origin = config::Origin::file, .place = {}, .flag = {}};
  runs_.write("trace.jsonl", "{\"step\":1}\n");
  config_.set("training.trace_batches", (runs_ / "trace.jsonl").string(), file);
  config_.set("training.tensorboard_log_dir", (runs_ / "events").string(), file);
  run("a");
  EXPECT_EQ(read_file(runs_ / "trace.jsonl"), "{\"step\":1}\n");
  for (const auto& entry : std::filesystem::directory_iterator(runs_ / "events"))
    EXPECT_EQ(entry.path().filename(), "vocoder");
  config_.set("training.tensorboard_log_dir", std::string("mine"),
              {.origin = config::Origin::flag, .place = {}, .flag = "--tensorboard-log-dir"});
  EXPECT_EQ(vocoder_config(config_).text("training.tensorboard_log_dir"), "mine");
}

TEST_F(VocoderTraining, FlagsOfTheLoaderAreNotTakenInSilence) {
  config_.set("training.gradient_accumulation_steps", int64_t{4},
              {.origin = config::Origin::flag, .place = {}, .flag = "--grad-accum"});
  config_.set("data.batch_frames", int64_t{8000},
              {.origin = config::Origin::flag, .place = {}, .flag = "--batch-frames"});
  set("data.preprocessing_mode", std::string("precompute"));
  testing::internal::CaptureStderr();
  vocoder_config(config_);
  EXPECT_THAT(
      testing::internal::GetCapturedStderr(),
      AllOf(HasSubstr("does not look at --batch-frames, --grad-accum"), HasSubstr("needs sounds")));
}

TEST_F(VocoderTraining, GoesOnAsIfItHadNeverStopped) {
  set("training.schedule", std::string("constant"));
  run("whole");
  for (const int64_t stop : {3, 7, 12}) {
    set("training.max_steps", stop);
    run("parts");
  }
  EXPECT_EQ(losses("parts"), losses("whole"));
}

TEST_F(VocoderTraining, TheBestIsTheOneWhoseMelsAreNearest) {
  set("training.keep_checkpoints", int64_t{1});
  const VocoderReport report = run("a");
  EXPECT_EQ(best_checkpoint(runs_ / "a").filename(), "step-00000012") << "distances fall";
  EXPECT_EQ(report.best_validation, report.validation);
  EXPECT_THAT(list_checkpoints(runs_ / "a"), SizeIs(1));
}

TEST_F(VocoderTraining, RawFilesDoToo) {
  TrainOptions raw = options("a");
  raw.use_cache = false;
  const VocoderReport report = train_vocoder(raw, library_, platform_);
  EXPECT_EQ(report.cache_state, "none");
  run("b");
  EXPECT_EQ(losses("a"), losses("b"));
}

TEST_F(VocoderTraining, OneCopyOfTheStateIsThereAtATime) {
  set("training.checkpoint_every", int64_t{1});
  run("a");
  EXPECT_EQ(library_.behaviour.copies->most, 1);
}

TEST_F(VocoderTraining, StopsAtALossThatIsNotFinite) {
  library_.behaviour.is_finite = [](uint64_t update) { return update < 6; };
  EXPECT_THAT(error_message([&] { run("a"); }),
              AllOf(HasSubstr("the loss of step 7 is not finite"), HasSubstr("training.lr")));
  EXPECT_EQ(list_checkpoints(runs_ / "a").back().filename(), "step-00000006");
}

TEST_F(VocoderTraining, SaysWhatOfAStepIsNotFinite) {
  library_.behaviour.is_finite = [](uint64_t update) { return update < 6; };
  const auto said = [&](float VocoderLosses::* spoilt) {
    library_.behaviour.spoilt = spoilt;
    return error_message([&] { run("a"); });
  };
  EXPECT_THAT(said(&VocoderLosses::gradient_norm),
              AllOf(StartsWith("the gradient of step 7"), HasSubstr("norm of the gradient nan;")));
  EXPECT_THAT(said(&VocoderLosses::judging), StartsWith("the discriminators' loss of step 7"));
  EXPECT_THAT(said(&VocoderLosses::judge_gradient_norm),
              StartsWith("the discriminators' gradient of step 7"));
}

TEST_F(VocoderTraining, AnotherMelIsRefusedWithTheDifference) {
  run("a");
  set("data.mel.n_mels", int64_t{40});
  EXPECT_THAT(error_message([&] { run("a"); }),
              AllOf(HasSubstr("network.mel.n_mels: 80 in the checkpoint, 40 now"),
                    HasSubstr("--reset-training")));
}

TEST_F(VocoderTraining, ResetStartsAnewAndLosesNothing) {
  run("a");
  set("training.reset", true);
  EXPECT_EQ(run("a").run_updates, 12u);
  EXPECT_FALSE(list_checkpoints(runs_ / "a/before-1").empty());
}

TEST_F(VocoderTraining, SeveralRanksAreRefused) {
  TrainOptions two = options("a");
  two.ranks.count = 2;
  EXPECT_THAT(error_message([&] { train_vocoder(two, library_, platform_); }),
              AllOf(HasSubstr("2 ranks"), HasSubstr("torchrun")));
}

TEST_F(VocoderTraining, SigtermSealsACheckpointAndReturns) {
  const InterruptHandler handler;
  library_.behaviour.before_step = [](uint64_t update) {
    if (update == 4) std::raise(SIGTERM);
  };
  const VocoderReport report = run("a");
  EXPECT_EQ(report.stopped_by, "SIGTERM");
  EXPECT_EQ(VocoderCheckpoint::open(runs_ / "a").progress().updates, 5u);
}

TEST_F(VocoderTraining, CtrlCSealsACheckpointAndIsSaid) {
  const InterruptHandler handler;
  library_.behaviour.before_step = [](uint64_t update) {
    if (update == 4) std::raise(SIGINT);
  };
  EXPECT_THAT(error_message([&] { run("a"); }), HasSubstr("Ctrl-C"));
  EXPECT_EQ(VocoderCheckpoint::open(runs_ / "a").progress().updates, 5u);
}

}  // namespace
}  // namespace seda::train
