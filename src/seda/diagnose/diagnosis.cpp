// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/diagnosis.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "seda/base/clock.h"
#include "seda/diagnose/cold_runs.h"
#include "seda/diagnose/conclusions.h"
#include "seda/diagnose/corpus_figures.h"
#include "seda/diagnose/corpus_files.h"
#include "seda/diagnose/disk.h"
#include "seda/diagnose/figures.h"
#include "seda/diagnose/remedies.h"
#include "seda/diagnose/sections.h"
#include "seda/diagnose/verdict.h"
#include "seda/feed/make_loader.h"
#include "seda/feed/native_loader.h"
#include "seda/feed/open_clips.h"
#include "seda/feed/prepare_options.h"

namespace seda::diagnose {
namespace {

constexpr double kFoundSeconds = 2;  // of the run with the page cache as it was found
constexpr double kColdSeconds = 2;
constexpr double kReadSeconds = 3;  // of reads from storage, at most
constexpr size_t kReads = 256;
constexpr double kWarmUpSeconds = 6;
constexpr double kReadySeconds = 2;  // until a run is measured, at most
constexpr double kMostSeconds = 8;   // of the measured run,
constexpr double kAgainSeconds = 3;  // and of the one that confirms it
constexpr double kShownSeconds = 1;  // of the timeline
constexpr uint64_t kParts = 7;       // of the work, for progress

/// One diagnosis in the making.
class Examiner {
 public:
  Examiner(const config::Config& config, const device::Platform& platform, device::Monitor& monitor,
           const DiagnosisOptions& options, TraceRecorder& trace)
      : config_(config),
        platform_(platform),
        monitor_(monitor),
        options_(options),
        trace_(trace),
        open_(feed::open_options(config, options.corpus, &platform)),
        feed_(feed::feed_options(config, platform)) {
    open_.use_cache = options.use_cache;
    open_.prepare.progress = options.progress;
    step_s_ = options.step_s;
    if (step_s_ > 0) out_.step_source = "--step-ms";
  }

  Diagnosis examine() {
    open_first();
    Progress progress({"diagnose", "parts", kParts, options_.progress, terminal_width()}, clock_,
                      sink_);
    progress_ = &progress;
    run_as_found();
    open_again();
    probe_step();
    read_storage();
    run_cold();
    run_warm();
    find_cause();
    report();
    progress.finish();
    return std::move(out_);
  }

 private:
  void done() { progress_->advance(); }
  std::function<void()> still_there() {
    return [this] { progress_->advance(0); };
  }

  bool from_cache() const { return start_.cache_state != "none"; }
  std::vector<std::filesystem::path> files() const {
    return from_cache()
               ? cache_files(open_.prepare)
               : audio_files(dataset::read_corpus(open_.prepare.corpus, open_.prepare.read));
  }

  void open_first() {
    clips_ = feed::open_clips(open_);
    open_.announce = false;
    start_.cache_state = clips_.cache_state;
    start_.open_s = clips_.seconds;
    start_.reasons = clips_.reasons;
    start_.clips = clips_.source->rows().size();
    out_.corpus = figures_of(clips_);
  }

  /// For a moment, silently.
  Consumption short_run(double most_s, size_t warm_up, double step_s) {
    feed::FeedOptions silent = feed_;
    silent.announce = false;
    const Stopwatch time;
    const auto loader = feed::make_loader(clips_, silent, platform_);
    consume(*loader, platform_, feed_.roles.model,
            {.batches = std::max<size_t>(1, warm_up),
             .most_s = kReadySeconds,
             .after_batch = still_there()});
    if (start_.first_batch_s == 0) start_.first_batch_s = time.seconds();
    Consumption run = consume(*loader, platform_, feed_.roles.model,
                              {.batches = options_.batches,
                               .most_s = most_s,
                               .step_s = step_s,
                               .after_batch = still_there()});
    workers_ = run.loader.workers;
    return run;
  }

  /// What was just made is warm and tells nothing.
  void run_as_found() {
    Consumption run = short_run(kFoundSeconds, 1, step_s_);
    found_step_s_ = step_s_;
    if (start_.cache_state != "built") found_ = std::move(run);
    done();
  }

  /// What is mapped cannot be dropped from memory, so that the first source is closed for good.
  void open_again() {
    clips_ = {};
    clips_ = feed::open_clips(open_);
    start_.state_again = clips_.cache_state;
    start_.open_again_s = clips_.seconds;
    start_.reasons_again = clips_.reasons;
    start_.made_again = clips_.clips_built;
    done();
  }

  void read_storage() {
    clips_ = {};
    const auto all = files();
    cache_bytes_ = from_cache() ? bytes_of(all) : 0;
    const uint64_t each = from_cache() && start_.clips > 0 ? cache_bytes_ / start_.clips : 0;
    storage_.disk = disk_of(all.empty() ? open_.prepare.corpus : all.front());
    storage_.what = from_cache() ? "the cache" : "the sound files";
    storage_.threads = feed_.native ? std::max(1, workers_) : 1;
    storage_.times =
        time_storage(choose_extents(all, each, kReads), storage_.threads, kReadSeconds);
    drop_files(all);
    clips_ = feed::open_clips(open_);
    done();
  }

  void run_cold() {
    cold_ = short_run(kColdSeconds, 1, step_s_);
    storage_.cold_rate = cold_->clips_per_second();
    done();
  }

  void probe_step() {
    if (options_.probe) {
      step_ = options_.probe(config_);
      if (step_s_ == 0) {
        step_s_ = step_->ceiling_s;
        out_.step_source = "measured with the model";
      }
    }
    done();
  }

  void run_warm() {
    warm_up(clips_, feed_, platform_, kWarmUpSeconds);
    loader_ = feed::make_loader(clips_, feed_, platform_, &trace_);
    TraceCollector collector(*loader_, monitor_, watched_gpus(monitor_, platform_, feed_.roles));
    const int slots = loader_->statistics().slots.total();
    const auto look = [&] {
      collector.look();
      progress_->advance(0);
    };
    out_.run = consume(*loader_, platform_, feed_.roles.model,
                       {.warm_up = 2 * static_cast<size_t>(slots),
                        .most_warm_up_s = kReadySeconds,
                        .batches = options_.batches,
                        .most_s = kMostSeconds,
                        .step_s = step_s_,
                        .trace = &trace_,
                        .after_batch = look});
    out_.traces = collector.take();
    out_.times = summarize(out_.run.batches);
    keep_run();
    done();
  }

  /// What the loader that was measured knows, before it goes.
  void keep_run() {
    out_.rows_end_ns = now_ns();
    const auto shown = static_cast<int64_t>(1e9 * std::min(kShownSeconds, out_.run.seconds));
    out_.rows_begin_ns = out_.rows_end_ns - shown;
    out_.rows = trace_.rows(out_.rows_begin_ns, out_.rows_end_ns);
    path_ = {clips_.source->path(), feed_, loader_->statistics()};
    storage_.warm_rate = out_.run.clips_per_second();
    if (const auto* native = dynamic_cast<const feed::NativeLoader*>(loader_.get())) {
      plan_ = native->memory();
      out_.memory_plan = describe(*plan_, feed_);
      best_padding_ = padding_of_own_choice(*clips_.source, feed_);
    }
    loader_.reset();
    trace_.set_enabled(false);
  }

  Situation situation(const Consumption& run) const {
    Situation out;
    out.loader = run.loader;
    out.batches = run.batches;
    out.step_s = step_s_;
    out.stall = run.stall();
    out.machine = run.machine;
    out.settings = settings_of(feed_, from_cache(), cache_bytes_);
    out.best_padding = best_padding_;
    out.start = start_;
    out.step = step_;
    if (out_.traces.model_gpu.samples > 0) out.gpu = out_.traces.model_gpu;
    const std::string absence = platform_.cuda_absence();
    if (!absence.empty() && monitor_.gpu_count() > 0) out.unusable_gpu = absence;
    return out;
  }

  std::optional<Verdict> judge_cold() const {
    if (!found_ || !cold_) return std::nullopt;
    Situation found = situation(*found_);
    const Situation dropped = situation(*cold_);
    if (found_step_s_ != step_s_) found = at_pace_of(found, found_step_s_);
    auto verdict = judge_cold_runs(found, dropped, out_.run.clips_per_second());
    if (verdict && found_step_s_ != step_s_) verdict->evidence.resize(1);  // the rest is derived
    return verdict;
  }

  void find_cause() {
    Lab lab(config_, clips_, platform_,
            {.corpus = options_.corpus,
             .use_cache = options_.use_cache,
             .step_s = step_s_,
             .after_batch = still_there()});
    Situation now = situation(out_.run);
    out_.verdict = judge_by_trials(now, config_, lab);
    if (out_.verdict.cause == Cause::healthy) {
      if (auto cold = judge_cold()) out_.verdict = *std::move(cold);
    } else if (Figures(now).starved()) {
      confirm();
    }
    try_remedies(out_.verdict, now, config_, lab);
    done();
  }

  /// What is seen once may be somebody else's burst of work.
  void confirm() {
    const Consumption again = short_run(kAgainSeconds, 8, step_s_);
    const Situation now = situation(again);
    if (Figures(now).starved()) return;
    const Verdict first = std::exchange(out_.verdict, judge(now));
    out_.verdict.evidence.push_back(
        fmt::format("a run before it looked like {} ({}), and was not "
                    "the rule",
                    to_string(first.cause), first.evidence.front()));
  }

  void report() {
    out_.step_s = step_s_;
    out_.sections = {
        gpu_section(monitor_, platform_, out_.traces.model_gpu),
        configuration_section(config_),
        path_section(path_),
        start_section(start_),
        step_section(step_, options_.no_probe),
        memory_section({out_.run.machine, plan_ ? &*plan_ : nullptr, feed_}, platform_),
        storage_section(storage_),
        run_section({&out_.run, out_.times, step_s_, out_.step_source})};
    conclude(out_);
    out_.seconds = time_.seconds();
  }

  const config::Config& config_;
  const device::Platform& platform_;
  device::Monitor& monitor_;
  const DiagnosisOptions& options_;
  TraceRecorder& trace_;
  Stopwatch time_;
  SteadyClock clock_;
  LogProgressSink sink_;
  Progress* progress_ = nullptr;
  feed::OpenOptions open_;
  feed::FeedOptions feed_;
  feed::OpenedClips clips_;
  std::unique_ptr<feed::Loader> loader_;
  double step_s_ = 0;
  double found_step_s_ = 0;  // of the run with the page cache as it was found
  int workers_ = 0;
  uint64_t cache_bytes_ = 0;
  StartUp start_;
  StorageFacts storage_;
  PathFacts path_;
  std::optional<feed::MemoryPlan> plan_;
  std::optional<double> best_padding_;
  std::optional<Consumption> found_;
  std::optional<Consumption> cold_;
  std::optional<StepProfile> step_;
  Diagnosis out_;
};

}  // namespace

Diagnosis diagnose(const config::Config& config, const device::Platform& platform,
                   device::Monitor& monitor, const DiagnosisOptions& options,
                   TraceRecorder& trace) {
  return Examiner(config, platform, monitor, options, trace).examine();
}

}  // namespace seda::diagnose
