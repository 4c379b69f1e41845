// SPDX-License-Identifier: Apache-2.0
#include "seda/train/rehearsal.h"

#include <utility>

#include "seda/base/error.h"
#include "seda/base/interrupt.h"
#include "seda/base/log.h"
#include "seda/diagnose/corpus_files.h"
#include "seda/diagnose/remedies.h"
#include "seda/feed/make_loader.h"
#include "seda/train/loss_mean.h"

namespace seda::train {
namespace {

constexpr size_t kPending = 2;
constexpr double kLr = 1e-5;
constexpr size_t kRecordedSteps = 40;
constexpr size_t kLeastSteps = 3;  // that count,
constexpr double kLongest = 4;     // in so many times the time there is

/// Its logs go into a folder that is thrown away, and are shown to no one.
TrainOptions kept_in(TrainOptions options, const std::filesystem::path& folder) {
  options.run_folder = folder;
  options.tensorboard = folder;
  options.batch_trace.clear();
  options.progress = ProgressStyle::quiet;
  return options;
}

feed::FeedOptions silent(feed::FeedOptions feed) {
  feed.announce = false;
  return feed;
}

}  // namespace

Rehearsal::Rehearsal(const TrainOptions& options, const RunSetup& setup,
                     const feed::FeedOptions& feed, EngineOptions engine, const Library& library,
                     const device::Platform& platform)
    : library_(library),
      options_(kept_in(options, folder_.path())),
      roles_(feed.roles),
      stream_(platform, feed.roles.model, device::StreamPriority::high),
      engine_(other_engine(std::move(engine))),
      loader_(feed::make_loader(setup.clips, silent(feed), platform, options.trace)),
      learner_(*loader_, *engine_, stream_, options.optimizer.accumulation, options.trace),
      log_(options_, 0, clock_),
      watch_(platform, {feed.roles.data, feed.roles.model}) {}

std::unique_ptr<Engine> Rehearsal::other_engine(EngineOptions engine) const {
  engine.stream = stream_;
  if (!engine.heed) engine.heed = throw_if_interrupted;
  return library_.make_engine(engine);
}

/// Whether it met a new shape.
bool Rehearsal::update() {
  return learner_.learn(updates_++, kLr);
}

/// The first step of each shape takes long: those come first.
void Rehearsal::warm_up(double most_s) {
  const Stopwatch time;
  size_t met = 0;
  do {
    if (update()) ++met;
  } while (met < loader_->buckets().size() && time.seconds() < most_s);
  learner_.collect(0);
  learner_.pause();
  learner_.whole() = {};
  watch_.restart();
}

device::Event Rehearsal::mark() const {
  device::Event event(stream_, device::EventTiming::on);
  event.record(stream_);
  return event;
}

/// On the device it takes as long as the stream has nothing to do between the two marks.
void Rehearsal::log_point(RehearsalFigures& out) {
  const Stopwatch time;
  device::Event begin = mark();
  const auto steps = learner_.collect(roles_.model.is_cuda() ? kPending : 0);
  if (steps.empty()) return;
  LossMean mean;
  for (const LearnedStep& step : steps)
    mean.add(step.losses, 1);
  log_.point({.step = steps.back().update + 1,
              .total = updates_,
              .epoch = steps.back().epoch,
              .lr = kLr,
              .losses = mean.value(),
              .figures = learner_.take_stretch().figures(),
              .accumulation = options_.optimizer.accumulation});
  log_points_.push_back({std::move(begin), mark()});
  out.logging_host_s += time.seconds();
}

/// Whether there is a figure: of a step whose shape was met before, once the next has begun.
bool Rehearsal::counts() {
  learner_.collect(0);
  return learner_.whole().figures().batches > 0;
}

void Rehearsal::measure(const RehearsalLength& length, RehearsalFigures& out) {
  const Stopwatch time;
  size_t known = 0;  // of a shape that was met before: others count for no figure
  do {
    if (!update()) ++known;
    if (++out.updates % options_.log_every == 0) log_point(out);
    if (length.after_update) length.after_update();
  } while ((out.updates < length.updates && time.seconds() < length.most_s) ||
           (known < kLeastSteps && time.seconds() < kLongest * length.most_s) || !counts());
  learner_.collect(0);
  for (const Pause& pause : std::exchange(log_points_, {}))
    out.logging_s.push_back(1e-3 * device::elapsed_ms(pause.begin, pause.end));
  out.logging_s.resize(out.updates);
}

RehearsalFigures Rehearsal::learn(const RehearsalLength& length) {
  watch_.set_paused(!length.watches_gpus);
  warm_up(length.most_warm_up_s);
  RehearsalFigures out;
  const feed::LoaderStatistics before = loader_->statistics();
  const uint64_t syncs = engine_->host_syncs();
  diagnose::MachineWatch machine;
  measure(length, out);
  out.machine = machine.use();
  out.gpus = watch_.use();
  out.loader = loader_->statistics().since(before);
  out.steps = learner_.whole();
  out.host_syncs =
      static_cast<double>(engine_->host_syncs() - syncs) / static_cast<double>(out.updates);
  return out;
}

std::optional<BusyTime> Rehearsal::time_kernels(const FigureCounter& seen, double most_s) {
  const auto parts = static_cast<size_t>(options_.optimizer.accumulation);
  size_t taken = 0;
  const auto take_steps = [&] {
    const Stopwatch time;
    while (taken < kRecordedSteps && time.seconds() < most_s) {
      const auto lease = loader_->next(stream_);
      if (!lease || !seen.buckets().contains((*lease)->info.bucket)) continue;
      engine_->step(**lease, {.update = updates_, .part = static_cast<int>(taken % parts)});
      ++taken;
    }
    engine_->collect(0);
  };
  try {
    auto busy = engine_->time_kernels(take_steps);
    if (!busy || busy->kernels == 0) return std::nullopt;
    busy->steps = taken;
    return busy;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unavailable) throw;
    log::debug("{}", error.what());
    return std::nullopt;
  }
}

TrainOptions without_runs(TrainOptions options) {
  options.run_folder.clear();
  options.resume.clear();
  options.reset = false;
  return options;
}

diagnose::Situation situation_of(const RehearsalFigures& seen, const feed::FeedOptions& feed,
                                 const RunSetup& setup, double step_s) {
  const bool cached = setup.clips.cache_state != "none";
  diagnose::Situation out;
  out.loader = seen.loader;
  out.batches = seen.steps.last();
  out.step_s = step_s;
  out.stall = seen.steps.figures().stall;
  out.machine = seen.machine;
  out.settings = diagnose::settings_of(
      feed, cached, cached ? diagnose::bytes_of(diagnose::cache_files(setup.clips.corpus)) : 0);
  out.best_padding = diagnose::padding_of_own_choice(*setup.clips.source, feed);
  return out;
}

}  // namespace seda::train
