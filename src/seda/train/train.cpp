// SPDX-License-Identifier: Apache-2.0
#include "seda/train/train.h"

#include <algorithm>

#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/base/interrupt.h"
#include "seda/base/log.h"
#include "seda/base/units.h"
#include "seda/feed/make_loader.h"
#include "seda/train/agreement.h"
#include "seda/train/bad_batch.h"
#include "seda/train/ceiling.h"
#include "seda/train/checkpoint_writer.h"
#include "seda/train/flop_meter.h"
#include "seda/train/html_report.h"
#include "seda/train/learner.h"
#include "seda/train/loss_mean.h"
#include "seda/train/run_course.h"
#include "seda/train/run_folder.h"
#include "seda/train/run_plan.h"
#include "seda/train/run_setup.h"
#include "seda/train/samples.h"
#include "seda/train/stopped_run.h"
#include "seda/train/validation.h"

namespace seda::train {
namespace {

/// One run, from its first step to its report.
class Run {
 public:
  Run(const TrainOptions& options, const Library& library, const device::Platform& platform)
      : options_(options),
        platform_(platform),
        lock_(lock_run_folder(options)),
        setup_(set_up(options, platform)),
        stream_(platform, setup_.feed.roles.model, device::StreamPriority::high),
        engine_options_(engine_options(options, setup_)),
        engine_(make_engine(library)),
        loader_(feed::make_loader(setup_.clips, setup_.feed, platform, options.trace)),
        learner_(*loader_, *engine_, stream_, options.optimizer.accumulation, options.trace),
        flops_(setup_.voice.model, fixed_shapes(*loader_, setup_.feed),
               peak_flops(platform, setup_.feed.roles.model, engine_options_.mixed_precision)),
        writer_(options.run_folder, options.keep_checkpoints),
        samples_(options.run_folder, setup_.voice.mel),
        watch_(platform, {setup_.feed.roles.data, setup_.feed.roles.model}),
        course_(course()),
        schedule_(schedule(options.config, course_.total)) {
    if (setup_.resumed && setup_.feed.roles.model.is_cpu()) {
      warn_of_other_threads(setup_.progress.threads, library.torch_info().threads);
    }
    setup_.progress.threads = library.torch_info().threads;
    open_log();
    announce();
  }

  TrainReport run() {
    report_.init_seconds = wall_.seconds();
    const Stopwatch loop;
    try {
      while (!course_.ended() && !stops()) {
        learn();
        if (course_.is_log_point()) collect(pending());
        if (course_.is_validation_point()) validate();
        if (course_.is_checkpoint_point()) save(false);
      }
    } catch (const Error& error) {  // whoever waited for a batch was told to stop
      if (error.kind() != ErrorKind::interrupted) throw;
    }
    loop_s_ = loop.seconds();
    finish();
    return std::move(report_);
  }

 private:
  std::unique_ptr<Engine> make_engine(const Library& library) {
    engine_options_.stream = stream_;
    auto made = library.make_engine(engine_options_);
    require_same(*made, shared_facts());
    if (setup_.resumed) made->restore(setup_.resumed->training(), setup_.resumed->average());
    return made;
  }

  std::vector<SharedFact> shared_facts() const {
    const RunProgress& from = setup_.progress;
    return {{"steps done before", static_cast<double>(from.updates)},
            {"the epoch they begin with", static_cast<double>(from.sampler.epoch)},
            {"the batch they begin with", static_cast<double>(from.sampler.batch)},
            {"the number of clips", static_cast<double>(setup_.clips.source->rows().size())},
            {"data.batch_size", static_cast<double>(setup_.feed.batch_size)},
            {"data.batch_frames", static_cast<double>(setup_.feed.batch_frames)},
            {"training.seed", static_cast<double>(options_.seed)},
            {"the mean of mels", setup_.voice.model.mel_mean}};
  }

  RunCourse course() const {
    const RunProgress& from = setup_.progress;
    const auto parts = static_cast<uint64_t>(options_.optimizer.accumulation);
    const uint64_t of_epochs = updates_of_epochs(options_.epochs, loader_->batches_per_epoch(),
                                                 parts, from.updates, from.sampler);
    return run_course(options_, from.updates, of_epochs, pending() / parts);
  }

  /// Of the leading rank, where there is a step to take.
  void open_log() {
    if (!options_.ranks.leads() || course_.ended()) return;
    if (options_.reset || setup_.resumed) {
      make_room(options_.run_folder, setup_.resumed ? setup_.resumed->folder() : "");
    }
    log_.emplace(options_, course_.updates, clock_);
  }

  void announce() {
    const PlanInput input{.options = options_,
                          .setup = setup_,
                          .engine = engine_options_,
                          .model = engine_->facts(),
                          .schedule = schedule_,
                          .total = course_.total};
    report_.plan = describe_plan(input);
    report_.plan_json = to_json(input);
    if (!options_.ranks.leads()) return;
    if (course_.ended()) {
      tell_nothing_to_do(course_);
      return;
    }
    for (const std::string& line : report_.plan)
      log::info("{}", line);
    for (const std::string& note : notes_of_plan(input))
      log::warning("{}", note);
  }

  size_t pending() const { return steps_behind(setup_.feed.roles.model); }

  /// Asked to stop. Ranks agree on it, so that all do after the same step: each time on the CPU,
  /// at log points on GPUs, whose hosts run ahead.
  bool stops() {
    look_for_signal();
    if (!options_.ranks.alone() && (pending() == 0 || course_.is_log_point())) {
      signal_ = agreed_signal(*engine_);
    }
    return signal_ != 0;
  }

  /// Asked to stop, where there is no other rank to agree with.
  void look_for_signal() {
    if (options_.ranks.alone() && interrupted()) signal_ = interrupt_signal();
  }

  void learn() {
    watch_.set_paused(false);
    if (learner_.learn(course_.updates, schedule_.at(course_.updates))) watch_.restart();
    ++course_.updates;
    if (log_) log_->tick(course_.updates, course_.total);
    if (report_.run_updates++ == 0) time_first_step();
  }

  void time_first_step() {
    stream_.synchronize();
    report_.first_step_seconds = wall_.seconds();
    learner_.pause();
    first_syncs_ = engine_->host_syncs();
  }

  /// Takes what steps left, and makes a log point of it.
  void collect(size_t pending) {
    const auto steps = learner_.collect(pending);
    if (steps.empty()) return;
    for (const LearnedStep& step : steps)
      take(step);
    const LearnedStep& last = steps.back();
    if (log_) {
      log_->point({.step = last.update + 1,
                   .total = course_.total,
                   .epoch = last.epoch,
                   .lr = last.lr,
                   .losses = mean_of(steps),
                   .figures = flops_.figures(learner_.take_stretch()),
                   .accumulation = options_.optimizer.accumulation,
                   .faults = loader_->statistics().replaced});
      samples_.collect(log_->events(), false);
    }
  }

  void take(const LearnedStep& step) {
    if (!step.losses.finite) stop_at(step);
    if (!report_.first) report_.first = step.losses;
    report_.last = step.losses;
    if (log_ && log_->traces()) {
      log_->trace({step.update + 1, step.part, step.epoch, step.bucket,
                   clip_ids(setup_, step.clips), step.losses.total});
    }
  }

  static StepLosses mean_of(const std::vector<LearnedStep>& steps) {
    LossMean mean;
    for (const LearnedStep& step : steps)
      mean.add(step.losses, 1);
    return mean.value();
  }

  [[noreturn]] void stop_at(const LearnedStep& step) {
    if (log_) log_->flush();
    writer_.finish();
    stop_at_bad_batch(
        {.options = options_, .setup = setup_, .platform = platform_, .stream = stream_}, step,
        progress(), *engine_);
  }

  RunProgress progress() const {
    RunProgress now = setup_.progress;
    now.updates = course_.updates;
    now.sampler = learner_.position();
    return now;
  }

  /// Something other than training begins.
  void pause() {
    learner_.pause();
    watch_.set_paused(true);
  }

  void validate() {
    collect(0);
    if (setup_.validation == nullptr) return;
    const Stopwatch time;
    pause();
    if (log_) {
      validate_for_all(*log_);
    } else {
      LeaderWork(*engine_).wait();
    }
    validation_s_ += time.seconds();
  }

  void validate_for_all(RunLog& log) {
    std::vector<Sample> samples;
    LeaderWork work(*engine_);
    StepLosses losses;
    try {
      losses = train::validate(*engine_, setup_, platform_, stream_,
                               [&](const feed::Batch& batch, size_t number) {
                                 if (number == 0) samples = speak(batch);
                                 work.part_done();
                               });
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::interrupted) throw;
      work.done();
      return;  // the loop stops soon
    }
    work.done();
    require_finite_validation(losses.finite, course_.updates);
    report_.validation = losses.total;
    const bool best = losses.total < setup_.progress.best_validation;
    if (best) setup_.progress.best_validation = losses.total;
    log.validation(course_.updates, losses, best);
    samples_.start(course_.updates, std::move(samples), log.events());
    if (best) save(true);
  }

  /// Speech of a model that has learned little may be too long for the memory there is.
  std::vector<Sample> speak(const feed::Batch& batch) {
    try {
      return make_samples(*engine_, *setup_.validation, batch);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::interrupted) throw;
      log::warning("no samples of step {}: {}", course_.updates, error.what());
      return {};
    }
  }

  void save(bool best) {
    collect(0);
    if (saved_updates_ == course_.updates) return;
    saved_updates_ = course_.updates;
    const Stopwatch time;
    pause();
    if (log_) {
      log_->flush();
      writer_.finish();  // there is one copy of the state at a time
      writer_.write(setup_.voice, progress(), engine_->state(), best);
    }
    checkpoint_s_ += time.seconds();
  }

  void finish() {
    collect(0);
    wait_for_all(*engine_);
    look_for_signal();
    if (report_.run_updates > 0) save(false);
    writer_.finish();
    if (log_) samples_.collect(log_->events(), true);
    log::set_status("");
    fill_report();
    if (signal_ == 0) measure_ceiling();
    look_for_signal();
    report_.wall_seconds = wall_.seconds();
    const StoppedRun stopped{signal_, course_.updates, writer_.last()};
    if (signal_ != 0) report_.stopped_by = stopped.by();
    if (log_) report_.page = write_html_report(report_, options_.run_folder);
    if (signal_ == 0) return;
    if (log_) stopped.tell();
    stopped.end();
  }

  /// How steps ran.
  const char* step_path() const {
    if (report_.run_updates == 0) return "no step";
    return engine_->graphs() > 0 ? "graphs" : "op by op";
  }

  void fill_report() {
    conclude(report_,
             {.updates = course_.updates,
              .host_syncs = engine_->host_syncs() - first_syncs_,
              .memory_peak_bytes = engine_->memory_peak_bytes(),
              .cache_state = setup_.clips.cache_state,
              .best_validation = setup_.progress.best_validation,
              .written = writer_.last(),
              .went_from = setup_.resumed ? setup_.resumed->folder() : std::filesystem::path()});
    report_.epochs = whole_epochs(learner_.position(), loader_->batches_per_epoch());
    report_.path = fmt::format("{}, {} loader, {}", setup_.clips.source->path(),
                               setup_.feed.native ? "native" : "reference", step_path());
    report_.accumulation = options_.optimizer.accumulation;
    report_.figures = flops_.figures(learner_.whole());
    report_.times = learner_.whole().times();
    report_.roles = setup_.feed.roles;
    report_.gpus = watch_.use();
    report_.faults = loader_->faults();
    report_.model = engine_->facts();
    report_.spent = {{"start", report_.init_seconds},
                     {"steps", std::max(0.0, loop_s_ - validation_s_ - checkpoint_s_)},
                     {"validation", validation_s_},
                     {"checkpoints", checkpoint_s_}};
  }

  void measure_ceiling() {
    if (report_.figures.batches == 0 || !options_.ranks.alone()) return;  // ranks keep in step
    const Stopwatch time;
    if (options_.progress == ProgressStyle::terminal) log::set_status("measuring the ceiling");
    try {
      report_.share_of_ceiling = believable_share(train::measure_ceiling(
          *engine_, *loader_, stream_, learner_.whole(), options_.optimizer.accumulation));
    } catch (const Error& error) {  // the run is sealed and only its report is left to be written
      if (error.kind() != ErrorKind::interrupted) throw;
    }
    log::set_status("");
    report_.spent.push_back({"ceiling", time.seconds()});
    if (report_.share_of_ceiling) {
      report_.ceiling = report_.figures.batches_per_second / *report_.share_of_ceiling;
    }
  }

  const Stopwatch wall_;
  const TrainOptions& options_;
  const device::Platform& platform_;
  FileLock lock_;
  RunSetup setup_;
  device::Stream stream_;
  EngineOptions engine_options_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<feed::Loader> loader_;
  Learner learner_;
  FlopMeter flops_;
  CheckpointWriter writer_;
  SampleWriter samples_;
  GpuWatch watch_;
  RunCourse course_;
  Schedule schedule_;
  SteadyClock clock_;
  std::optional<RunLog> log_;  // of the leading rank alone
  uint64_t first_syncs_ = 0;   // of the host, in the first step and before
  uint64_t saved_updates_ = 0;
  int signal_ = 0;     // to stop for
  double loop_s_ = 0;  // validation and checkpoints included
  double validation_s_ = 0;
  double checkpoint_s_ = 0;
  TrainReport report_;
};

}  // namespace

TrainReport train(const TrainOptions& options, const Library& library,
                  const device::Platform& platform) {
  return Run(options, library, platform).run();
}

}  // namespace seda::train
