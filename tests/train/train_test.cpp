// SPDX-License-Identifier: Apache-2.0
// The loop around an engine, with one that remembers what it was given.
#include "seda/train/train.h"

#include <csignal>
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/file.h"
#include "seda/base/file_lock.h"
#include "seda/base/interrupt.h"
#include "seda/train/checkpoint.h"
#include "seda/train/checkpoint_writer.h"
#include "seda/train/replay_run.h"
#include "tests/feed/clips.h"
#include "tests/support/error_message.h"
#include "tests/support/size_limit.h"
#include "tests/train/fake_engine.h"
#include "tests/train/training_config.h"

namespace seda::train {
namespace {

using ::seda::testing_support::error_message;
using ::seda::testing_support::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing_support::FakeLibrary;

/// A corpus, a folder for runs, and a configuration.
class Training : public testing::Test {
 protected:
  void set(const char* key, config::Value value) {
    testing_support::set(config_, key, std::move(value));
  }
  void set(const char* key, const char* value) { set(key, std::string(value)); }

  TrainOptions options(const char* name) const {
    config::Config config = config_;
    const auto folder = runs_ / name;
    config.set("training.checkpoint_dir", folder.string(), {});
    config.set("training.trace_batches", (folder / "trace.jsonl").string(), {});
    return train_options(config, corpus_.path());
  }

  TrainReport run(const char* name) const { return train(options(name), library_, platform_); }

  std::string trace(const char* name) const { return read_file(runs_ / name / "trace.jsonl"); }

  feed::Clips corpus_{20};
  TemporaryFolder runs_;
  config::Config config_ = testing_support::training_config();
  FakeLibrary library_;
  device::Platform platform_;
};

TEST_F(Training, TakesItsStepsAndReportsThem) {
  const TrainReport report = run("a");
  EXPECT_EQ(report.updates, 12u);
  EXPECT_EQ(report.run_updates, 12u);
  EXPECT_EQ(report.cache_state, "built");
  EXPECT_THAT(report.path, HasSubstr("native loader, op by op"));
  EXPECT_GT(report.figures.batches, 0u);
  EXPECT_LT(report.figures.batches, 12u) << "not those of a new shape, nor the last of a stretch";
  EXPECT_TRUE(report.validation.has_value());
  EXPECT_TRUE(report.ceiling.has_value());
  EXPECT_THAT(report.plan, SizeIs(testing::Ge(7u)));
  EXPECT_EQ(report.checkpoint.filename(), "step-00000012");
  EXPECT_THAT(report_text(report), AllOf(HasSubstr("steps      12"), HasSubstr("data stall")));
  EXPECT_EQ(report.page, runs_ / "a/report.html");
  EXPECT_THAT(read_file(report.page), AllOf(HasSubstr("12 steps"), HasSubstr("data:audio/wav"),
                                            HasSubstr("data:image/png")));
}

TEST_F(Training, WritesALineForEachStepAndLogPoint) {
  run("a");
  std::ifstream lines(runs_ / "a/trace.jsonl");
  uint64_t step = 0;
  for (std::string line; std::getline(lines, line);) {
    const Json value = parse_json(line, "trace");
    EXPECT_EQ(value.at("step"), ++step);
    EXPECT_THAT(value.at("utterances"), SizeIs(4));
    EXPECT_TRUE(value.at("loss").is_number());
  }
  EXPECT_EQ(step, 12u);
  EXPECT_THAT(read_file(runs_ / "a/log.jsonl"),
              AllOf(HasSubstr(R"("steps":3)"), HasSubstr(R"("validation")")));
}

TEST_F(Training, AStretchWithoutATimedStepHasNoSpeed) {
  set("training.log_every", int64_t{1});
  run("a");
  std::ifstream lines(runs_ / "a/log.jsonl");
  std::string line;
  std::getline(lines, line);
  const Json first = parse_json(line, "log");
  EXPECT_EQ(first["steps_per_second"], nullptr);
  EXPECT_EQ(first["clips_per_second"], nullptr);
}

TEST_F(Training, GoesOnAsIfItHadNeverStopped) {
  set("training.schedule", "constant");  // others depend on the length of the run
  run("whole");
  for (const int64_t stop : {3, 7, 8}) {
    set("training.max_steps", stop);
    run("parts");
  }
  set("training.max_steps", int64_t{12});
  EXPECT_EQ(run("parts").run_updates, 4u);
  EXPECT_EQ(trace("parts"), trace("whole"));
}

TEST_F(Training, CheckpointsAreOfTheRunThatWroteThem) {
  set("training.max_steps", int64_t{4});
  set("training.seed", int64_t{1});
  run("a");
  set("training.max_steps", int64_t{8});
  set("training.seed", int64_t{2});
  run("a");
  EXPECT_EQ(Checkpoint::open(runs_ / "a").progress().seed, 2u);
}

TEST_F(Training, AnEpochThatWasFedWholeIsCounted) {
  set("training.max_steps", std::monostate());
  set("training.epochs", int64_t{2});
  const TrainReport report = run("a");
  EXPECT_EQ(report.epochs, 2u);
  set("training.epochs", int64_t{3});
  EXPECT_EQ(run("a").epochs, 3u);
}

/// A corpus of many lengths, in batches of at most so many frames.
class TrainingByFrames : public Training {
 protected:
  TrainingByFrames() {
    for (int i = 0; i < 20; ++i)
      corpus_.sing(i, 2000 + 900 * static_cast<size_t>(i));
    set("data.batch_frames", int64_t{160});
  }

  /// Clips in each batch of a trace.
  std::vector<size_t> sizes(const char* name) const {
    std::vector<size_t> out;
    std::istringstream lines(trace(name));
    for (std::string line; std::getline(lines, line);)
      out.push_back(parse_json(line, "trace").at("utterances").size());
    return out;
  }
};

TEST_F(TrainingByFrames, HasBatchesOfDifferentNumbersOfClips) {
  const TrainReport report = run("a");
  const auto found = sizes("a");
  EXPECT_THAT(std::set<size_t>(found.begin(), found.end()), SizeIs(testing::Ge(2u)));
  EXPECT_THAT(report.plan, testing::Contains(HasSubstr("batch of at most 160 frames (x)")));
  EXPECT_THAT(report.plan, testing::Contains(HasSubstr("for a budget of 160 frames")));
  EXPECT_TRUE(report.validation.has_value());
}

TEST_F(TrainingByFrames, GoesOnAsIfItHadNeverStopped) {
  set("training.schedule", "constant");
  run("whole");
  for (const int64_t stop : {3, 7, 12}) {
    set("training.max_steps", stop);
    run("parts");
  }
  EXPECT_EQ(trace("parts"), trace("whole"));
}

TEST_F(TrainingByFrames, TheReferenceLoaderFeedsTheSame) {
  run("native");
  set("data.native_loading", false);
  run("reference");
  EXPECT_EQ(trace("reference"), trace("native"));
}

TEST_F(TrainingByFrames, ABatchThatIsNotFiniteIsReplayed) {
  run("whole");
  library_.behaviour.is_finite = [](uint64_t update) { return update < 4; };
  EXPECT_THAT(error_message([&] { run("a"); }), HasSubstr("--replay"));
  const ReplayReport report =
      replay(runs_ / "a/not-finite-00000005/batch.safetensors", config_, library_, platform_);
  EXPECT_THAT(report.utterances, SizeIs(sizes("whole").at(4)));
}

TEST_F(TrainingByFrames, AnotherSizeOfBatchesIsSaidWhereARunGoesOn) {
  set("training.max_steps", int64_t{4});
  run("a");
  set("training.max_steps", int64_t{5});
  testing::internal::CaptureStderr();
  run("a");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), Not(HasSubstr("order of clips differs")));
  set("training.max_steps", int64_t{6});
  set("data.batch_frames", int64_t{100});
  testing::internal::CaptureStderr();
  run("a");
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("trained with batches of at most 160 frames, this run has batches of at "
                        "most 100 frames: the order of clips differs"));
}

TEST_F(TrainingByFrames, ARunOfAFixedNumberOfClipsGoesOnWithThemAndSaysSo) {
  set("data.batch_frames", std::monostate());
  set("training.max_steps", int64_t{2});
  run("a");
  set("data.batch_frames", int64_t{160});
  set("training.max_steps", int64_t{4});
  testing::internal::CaptureStderr();
  run("a");
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("batches of 4 clips, this run has batches of at most 160 frames"));
}

TEST_F(Training, WithNothingLeftToDoNamesTheCheckpointThatIsThere) {
  const auto last = run("a").checkpoint;
  const TrainReport again = run("a");
  EXPECT_EQ(again.run_updates, 0u);
  EXPECT_THAT(again.path, HasSubstr("native loader, no step"));
  EXPECT_EQ(again.checkpoint, last);
}

TEST_F(Training, AnotherNumberOfThreadsIsSaid) {
  run("a");
  library_.threads = 3;
  set("training.max_steps", int64_t{13});
  testing::internal::CaptureStderr();
  run("a");
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("trained with 1 threads, this run has 3"));
}

TEST_F(Training, KilledBetweenCheckpointsItRepeatsWhatWasLost) {
  run("whole");
  library_.behaviour.before_step = [](uint64_t update) {
    if (update == 5) throw_error(ErrorKind::unavailable, "the machine is gone");
  };
  EXPECT_THAT(error_message([&] { run("killed"); }), HasSubstr("the machine is gone"));
  EXPECT_THAT(list_checkpoints(runs_ / "killed"), SizeIs(1));
  library_.behaviour = {};
  EXPECT_EQ(run("killed").run_updates, 8u);
  EXPECT_EQ(trace("killed"), trace("whole"));
}

TEST_F(Training, AccumulationTakesSeveralBatchesAStep) {
  set("training.gradient_accumulation_steps", int64_t{3});
  set("training.max_steps", int64_t{4});
  const TrainReport report = run("a");
  EXPECT_EQ(report.updates, 4u);
  EXPECT_EQ(std::ranges::count(trace("a"), '\n'), 12);
}

TEST_F(Training, KeepsTheLastCheckpointsAndTheBest) {
  set("training.checkpoint_every", int64_t{2});
  set("training.keep_checkpoints", int64_t{2});
  run("a");
  EXPECT_THAT(list_checkpoints(runs_ / "a"),
              testing::ElementsAre(runs_ / "a/step-00000006", runs_ / "a/step-00000010",
                                   runs_ / "a/step-00000012"));
  EXPECT_EQ(best_checkpoint(runs_ / "a").filename(), "step-00000006");
}

TEST_F(Training, OneCopyOfTheStateIsThereAtATime) {
  set("training.checkpoint_every", int64_t{1});
  run("a");
  EXPECT_EQ(library_.behaviour.copies->most, 1);
}

TEST_F(Training, StopsAtALossThatIsNotFinite) {
  library_.behaviour.is_finite = [](uint64_t update) { return update < 4; };
  EXPECT_THAT(error_message([&] { run("a"); }), AllOf(HasSubstr("of step 5 is not finite"),
                                                      HasSubstr("clip10"), HasSubstr("--replay")));
  const auto batch = runs_ / "a/not-finite-00000005/batch.safetensors";
  const ReplayReport report = replay(batch, config_, library_, platform_);
  EXPECT_EQ(report.step, 5u);
  EXPECT_THAT(report.utterances, SizeIs(4));
}

TEST_F(Training, AGradientOfSeveralBatchesIsReplayedWithAllOfThem) {
  set("training.gradient_accumulation_steps", int64_t{3});
  int steps = 0;
  library_.behaviour.is_finite = [&](uint64_t) { return ++steps < 6; };  // the end of update 1
  EXPECT_THAT(error_message([&] { run("a"); }), HasSubstr("the gradient of step 2 is not finite"));
  const auto folder = runs_ / "a/not-finite-00000002";
  std::vector<std::pair<uint64_t, int>> given;  // update and part
  library_.behaviour.is_finite = {};
  library_.behaviour.when_given = [&](const feed::Batch&, const StepOptions& options) {
    given.emplace_back(options.update, options.part);
  };
  const ReplayReport report = replay(folder / "batch.safetensors", config_, library_, platform_);
  EXPECT_THAT(given, testing::ElementsAre(std::pair(1, 0), std::pair(1, 1), std::pair(1, 2),
                                          std::pair(1, 0), std::pair(1, 1), std::pair(1, 2)))
      << "by the run's kernels, then checked";
  std::vector<std::string> before;  // fed in the update, up to the batch at which it ended
  std::ifstream lines(runs_ / "a/trace.jsonl");
  for (std::string line; std::getline(lines, line);) {
    const Json step = parse_json(line, "trace");
    if (step.at("step") != 2) continue;
    for (const Json& clip : step.at("utterances"))
      before.push_back(clip.get<std::string>());
  }
  EXPECT_THAT(before, SizeIs(8));
  EXPECT_THAT(report.utterances, SizeIs(12));
  EXPECT_TRUE(std::equal(before.begin(), before.end(), report.utterances.begin()));
  EXPECT_EQ((Checkpoint::open(folder).progress().sampler), (feed::SamplerState{0, 3}))
      << "where the update begins";
}

TEST_F(Training, AFileThatIsNoBatchIsNamedWhateverLiesBesideIt) {
  runs_.write("lines.txt", "no batch");
  const auto said = [&] { replay(runs_ / "lines.txt", config_, library_, platform_); };
  EXPECT_THAT(error_message(said), HasSubstr("lines.txt"));
}

TEST_F(Training, ReplaysInThePrecisionOfTheRun) {
  library_.behaviour.is_finite = [](uint64_t update) { return update < 4; };
  set("training.mixed_precision", true);
  error_message([&] { run("a"); });
  std::vector<std::pair<bool, bool>> made;  // mixed precision, checked
  library_.behaviour.when_made = [&](const EngineOptions& options) {
    made.emplace_back(options.mixed_precision, options.checked);
  };
  set("training.mixed_precision", false);  // of this call, not of the run
  replay(runs_ / "a/not-finite-00000005/batch.safetensors", config_, library_, platform_);
  EXPECT_THAT(made, testing::ElementsAre(std::pair(true, false), std::pair(true, true)));
}

TEST_F(Training, ASecondTrainerInTheFolderIsRefused) {
  create_folders(runs_ / "a");
  const FileLock other(runs_ / "a/.lock-0");
  EXPECT_THAT(error_message([&] { run("a"); }), HasSubstr("process"));
}

TEST_F(Training, AnotherModelIsRefusedWithTheDifference) {
  run("a");
  set("model.hidden_size", int64_t{256});
  set("data.mel.n_mels", int64_t{40});
  EXPECT_THAT(
      error_message([&] { run("a"); }),
      AllOf(HasSubstr("model.hidden_size: 128 in the checkpoint, 256 now"),
            HasSubstr("mel.n_mels: 80 in the checkpoint, 40 now"), HasSubstr("--reset-training")));
}

TEST_F(Training, ResetStartsAnewAndLosesNothing) {
  run("a");
  const std::string before = trace("a");
  set("training.reset", true);
  EXPECT_EQ(run("a").run_updates, 12u);
  EXPECT_EQ(trace("a"), before);
  EXPECT_THAT(list_checkpoints(runs_ / "a/before-1"), SizeIs(testing::Ge(3u)));
  for (const char* left : {"log.jsonl", "samples", "tensorboard", "report.html"})
    EXPECT_TRUE(std::filesystem::exists(runs_ / "a/before-1" / left)) << left;
}

TEST_F(Training, GoingOnFromAnotherRunTakesTheFolderOver) {
  run("a");
  set("training.max_steps", int64_t{4});
  run("b");
  set("training.max_steps", int64_t{8});
  set("training.resume", (runs_ / "b").string());
  EXPECT_EQ(run("a").run_updates, 4u);
  EXPECT_EQ(Checkpoint::open(runs_ / "a").progress().updates, 8u);
  EXPECT_THAT(list_checkpoints(runs_ / "a/before-1"), Not(IsEmpty()));
}

TEST_F(Training, WithNothingToDoEverythingStays) {
  run("a");
  const std::string page = read_file(runs_ / "a/report.html");
  const std::string log = read_file(runs_ / "a/log.jsonl");
  testing::internal::CaptureStderr();
  const TrainReport again = run("a");
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("nothing to do: 12 steps of 12 are done; raise training.max_steps"));
  EXPECT_EQ(again.run_updates, 0u);
  EXPECT_TRUE(to_json(again).at("au").is_null()) << "nothing was measured";
  EXPECT_EQ(again.checkpoint, runs_ / "a/step-00000012");
  set("training.resume", (runs_ / "a/step-00000008").string());
  set("training.max_steps", int64_t{8});
  run("a");
  EXPECT_EQ(read_file(runs_ / "a/report.html"), page);
  EXPECT_EQ(read_file(runs_ / "a/log.jsonl"), log);
}

TEST_F(Training, StepsAskedForAreTakenHoweverManyEpochsTheyAre) {
  set("training.max_steps", int64_t{420});  // 105 epochs: more than the default
  EXPECT_EQ(run("a").updates, 420u);
  set("training.epochs", int64_t{2});
  testing::internal::CaptureStderr();
  EXPECT_EQ(run("b").updates, 8u);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("training.epochs 2 (x) ends the run at step 8, before training.max_steps"));
}

TEST_F(Training, LargerBatchesMayEndTheEpoch) {
  set("training.max_steps", int64_t{3});
  run("a");
  set("training.max_steps", int64_t{6});
  set("data.batch_size", int64_t{8});
  testing::internal::CaptureStderr();
  EXPECT_EQ(run("a").run_updates, 3u);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              AllOf(HasSubstr("the order of clips differs"),
                    HasSubstr("epoch 0 has 2 batches now and is over: going on with epoch 1")));
}

TEST_F(Training, SpeechThatFailsIsNoEnd) {
  library_.behaviour.before_speech = [] {
    throw_error(ErrorKind::memory, "speech on cpu is out of memory");
  };
  testing::internal::CaptureStderr();
  EXPECT_EQ(run("a").updates, 12u);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("no samples of step 6: speech on cpu is out of memory"));
  EXPECT_TRUE(std::filesystem::exists(runs_ / "a/step-00000012"));
}

TEST_F(Training, TellsALossFromAGradientThatIsNotFinite) {
  library_.behaviour.is_finite = [](uint64_t update) { return update < 4; };
  EXPECT_THAT(error_message([&] { run("a"); }),
              HasSubstr("the gradient of step 5 is not finite (loss 0."));
}

TEST_F(Training, GoingBackLeavesTheNewCheckpointTheNewest) {
  set("training.checkpoint_every", int64_t{3});
  set("training.keep_checkpoints", int64_t{2});
  run("a");
  set("training.resume", (runs_ / "a/step-00000009").string());
  set("training.max_steps", int64_t{10});
  const TrainReport report = run("a");
  EXPECT_TRUE(std::filesystem::exists(report.checkpoint));
  EXPECT_EQ(Checkpoint::open(runs_ / "a").folder(), report.checkpoint);
  EXPECT_EQ(report.checkpoint.filename(), "step-00000010");
  EXPECT_THAT(list_checkpoints(runs_ / "a/before-1"),
              testing::ElementsAre(runs_ / "a/before-1/step-00000012"));
}

TEST_F(Training, WithoutAValidationClipItTrainsAndSaysSo) {
  set("data.validation_share", 0.0);
  testing::internal::CaptureStderr();
  const TrainReport report = run("a");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("no clip is held out"));
  EXPECT_FALSE(report.validation.has_value());
}

TEST_F(Training, AValidationCorpusOfItsOwnIsUsed) {
  const feed::Clips other(6);
  set("data.validation_path", other.path().string());
  set("data.validation_share", 0.0);
  EXPECT_TRUE(run("a").validation.has_value());
}

TEST_F(Training, TheReferenceLoaderFeedsTheSame) {
  run("native");
  set("data.native_loading", false);
  const TrainReport report = run("reference");
  EXPECT_THAT(report.path, HasSubstr("reference loader"));
  EXPECT_TRUE(report.validation.has_value());
  EXPECT_EQ(trace("reference"), trace("native"));
}

TEST_F(Training, AFullDiskLeavesTheOldCheckpoint) {
  set("training.max_steps", int64_t{4});
  run("a");
  set("training.max_steps", int64_t{12});
  const std::string description = read_file(runs_ / "a/step-00000004/checkpoint.json");
  {
    const seda::testing_support::SizeLimit full(200);
    EXPECT_THAT(error_message([&] { run("a"); }), testing::Not(IsEmpty()));
  }
  EXPECT_EQ(read_file(runs_ / "a/step-00000004/checkpoint.json"), description);
  EXPECT_EQ(run("a").updates, 12u);
}

TEST_F(Training, SigtermSealsACheckpointAndReturns) {
  const InterruptHandler handler;
  library_.behaviour.before_step = [](uint64_t update) {
    if (update == 5) std::raise(SIGTERM);
  };
  const TrainReport report = run("a");
  EXPECT_EQ(report.stopped_by, "SIGTERM");
  EXPECT_EQ(report.updates, 6u);
  EXPECT_EQ(Checkpoint::open(runs_ / "a").progress().updates, 6u);
}

TEST_F(Training, CtrlCSealsACheckpointAndIsSaid) {
  const InterruptHandler handler;
  library_.behaviour.before_step = [](uint64_t update) {
    if (update == 5) std::raise(SIGINT);
  };
  EXPECT_THROW(run("a"), Error);
  EXPECT_EQ(Checkpoint::open(runs_ / "a").progress().updates, 6u);
}

/// Sends itself a signal at each step that measures the ceiling, whose rate is zero, and counts
/// them.
std::function<void(const feed::Batch&, const StepOptions&)> at_the_ceiling(int signal, int& steps) {
  return [signal, &steps](const feed::Batch&, const StepOptions& options) {
    if (options.lr > 0) return;
    ++steps;
    std::raise(signal);
  };
}

TEST_F(Training, CtrlCAtTheCeilingLeavesTheReport) {
  const InterruptHandler handler(std::chrono::hours(1));  // all of them are one wish
  int steps = 0;
  library_.behaviour.when_given = at_the_ceiling(SIGINT, steps);
  EXPECT_THAT(error_message([&] { run("a"); }), testing::StartsWith("stopped by Ctrl-C"));
  EXPECT_EQ(steps, 1) << "the next would have to be waited for";
  EXPECT_THAT(read_file(runs_ / "a/report.html"), HasSubstr("stopped by Ctrl-C"));
}

TEST_F(Training, SigtermAtTheCeilingIsAnEndLikeAnyOther) {
  const InterruptHandler handler;
  int steps = 0;
  library_.behaviour.when_given = at_the_ceiling(SIGTERM, steps);
  const TrainReport report = run("a");
  EXPECT_EQ(report.stopped_by, "SIGTERM");
  EXPECT_EQ(report.updates, 12u);
  EXPECT_FALSE(report.ceiling.has_value());
}

TEST_F(Training, CtrlCWhileABatchIsWaitedForSealsACheckpoint) {
  set("debug.inject", std::vector<std::string>{"slow_storage=20"});
  set("training.gradient_accumulation_steps", int64_t{2});
  for (const uint64_t last : {0, 7}) {  // before anything was timed, and after
    const InterruptHandler handler;
    library_.behaviour.before_step = [&](uint64_t update) {
      if (update == last) std::raise(SIGINT);
    };
    EXPECT_THAT(error_message([&] { run("a"); }), testing::StartsWith("stopped by Ctrl-C"));
  }
  EXPECT_EQ(Checkpoint::open(runs_ / "a").progress().updates, 7u);
}

}  // namespace
}  // namespace seda::train
