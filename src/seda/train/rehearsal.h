// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "seda/base/scratch_folder.h"
#include "seda/diagnose/machine_watch.h"
#include "seda/diagnose/situation.h"
#include "seda/train/gpu_watch.h"
#include "seda/train/learner.h"
#include "seda/train/library.h"
#include "seda/train/run_log.h"
#include "seda/train/run_setup.h"

namespace seda::train {

/// How long a rehearsal may be.
struct RehearsalLength {
  size_t updates = 100;
  double most_s = 20;                    ///< Fewer, when they take longer; but one that counts.
  double most_warm_up_s = 15;            ///< Before them, until every shape was met.
  bool watches_gpus = true;              ///< Off: nothing is asked of their driver.
  std::function<void()> after_update{};  // NOLINT: g++ wants it where others are named
};

/// What a rehearsal measured, its warm-up left out.
struct RehearsalFigures {
  FigureCounter steps;
  std::vector<double> logging_s;  ///< The device stood still for a log point, each update,
  double logging_host_s = 0;      ///< and the host was at them, in all.
  uint64_t updates = 0;
  double host_syncs = 0;  ///< An update.
  feed::LoaderStatistics loader;
  diagnose::MachineUse machine;
  std::vector<GpuFigures> gpus;
};

/// Training as `train` does it, with its loader, its engine and its log, of which nothing is kept:
/// no checkpoint is read or written.
///
/// One thread. Its engines heed Ctrl-C where the options have nothing for them to heed: nothing is
/// lost.
class Rehearsal {
 public:
  /// `feed` and `engine` may differ from what `setup` has of them; the rest outlives it.
  Rehearsal(const TrainOptions& options, const RunSetup& setup, const feed::FeedOptions& feed,
            EngineOptions engine, const Library& library, const device::Platform& platform);

  RehearsalFigures learn(const RehearsalLength& length);

  /// How much of the time of some more steps kernels ran in, of shapes that `seen` counts: the
  /// first of a shape makes its graph. Nothing where kernels cannot be recorded.
  std::optional<BusyTime> time_kernels(const FigureCounter& seen, double most_s);

  Engine& engine() noexcept { return *engine_; }
  /// One more, on the same stream.
  std::unique_ptr<Engine> other_engine(EngineOptions engine) const;
  feed::Loader& loader() noexcept { return *loader_; }
  device::StreamView stream() const noexcept { return stream_; }

 private:
  /// Two marks of the stream.
  struct Pause {
    device::Event begin;
    device::Event end;
  };

  bool update();
  void warm_up(double most_s);
  bool counts();
  void measure(const RehearsalLength& length, RehearsalFigures& out);
  void log_point(RehearsalFigures& out);
  device::Event mark() const;

  const Library& library_;
  ScratchFolder folder_;
  TrainOptions options_;
  feed::Roles roles_;
  device::Stream stream_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<feed::Loader> loader_;
  Learner learner_;
  SteadyClock clock_;
  RunLog log_;
  GpuWatch watch_;
  std::vector<Pause> log_points_;
  uint64_t updates_ = 0;
};

/// For `set_up`: no checkpoint is looked for, and nothing is moved.
TrainOptions without_runs(TrainOptions options);

/// What a verdict is made of, from a rehearsal that was fed so; `step_s` is a step with a batch
/// that is there.
diagnose::Situation situation_of(const RehearsalFigures& seen, const feed::FeedOptions& feed,
                                 const RunSetup& setup, double step_s);

}  // namespace seda::train
