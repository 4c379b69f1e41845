// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/profile_data.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/dataset/corpus.h"
#include "seda/diagnose/corpus_files.h"
#include "seda/diagnose/machine_watch.h"
#include "seda/diagnose/remedies.h"
#include "seda/diagnose/verdict.h"
#include "seda/feed/make_loader.h"
#include "seda/feed/open_clips.h"
#include "seda/feed/prepare_options.h"

namespace seda::diagnose {
namespace {

constexpr double kMostSeconds = 60;      // of the measured batches
constexpr double kReferenceSeconds = 8;  // of the reference loader
constexpr size_t kReferenceBatches = 20;
constexpr double kDifferenceSeconds = 1.5;  // of another number of workers
constexpr double kTrialSeconds = 0.8;
constexpr double kWarmUpSeconds = 10;  // before the grid, at most
constexpr int kRepeats = 3;
constexpr int kBatchSizes[] = {8, 16, 32};  // of the grid

/// A progress line of its own.
struct Bar {
  Bar(const char* unit, uint64_t total, ProgressStyle style)
      : progress({"profile data", unit, total, style, terminal_width()}, clock, sink) {}

  SteadyClock clock;
  LogProgressSink sink;
  Progress progress;
};

/// One profile in the making.
class Profiler {
 public:
  Profiler(const config::Config& config, const device::Platform& platform,
           const ProfileOptions& options)
      : platform_(platform),
        options_(options),
        open_(feed::open_options(config, options.corpus, &platform)) {
    open_.use_cache = options.use_cache;
    open_.prepare.progress = options.progress;
    out_.options = feed::feed_options(config, platform);
    if (options.batch_sizes.empty() || out_.options.batch_frames == 0) return;
    throw_error(
        ErrorKind::usage,
        "--grid-batch-sizes: expected batches measured by clips, found data.batch_frames {} "
        "({}), with which data.batch_size is not looked at; leave one of them out",
        out_.options.batch_frames, config.source("data.batch_frames").text());
  }

  DataProfile profile() {
    time_samples();
    open();
    if (options_.cold) measure_cold();
    measure();
    if (options_.compare_reference) measure_reference();
    if (options_.benchmark) measure_grid();
    judge_all();
    return std::move(out_);
  }

 private:
  void time_samples() {
    corpus_ = dataset::read_corpus(open_.prepare.corpus, open_.prepare.read);
    out_.clips = corpus_.utterances.size();
    out_.text = time_text(corpus_.utterances, open_.prepare.text);
    out_.audio = time_audio(corpus_.utterances, open_.prepare.audio.sound, options_.cold);
  }

  void open() {
    clips_ = feed::open_clips(open_);
    open_.announce = false;
    out_.path = clips_.source->path();
    out_.cache_state = clips_.cache_state;
  }

  bool from_cache() const { return out_.cache_state != "none"; }

  /// The files that clips are read from.
  std::vector<std::filesystem::path> files() const {
    return from_cache() ? cache_files(open_.prepare) : audio_files(corpus_);
  }

  /// What is mapped cannot be dropped, so the source is closed for it.
  void measure_cold() {
    const auto dropped = files();
    clips_ = {};
    ColdRun cold;
    cold.resident = drop_files(dropped);
    MachineWatch since_the_drop;
    clips_ = feed::open_clips(open_);
    loader_ = feed::make_loader(clips_, silent(out_.options), platform_);
    cold.run = consume_batches(nullptr);
    loader_.reset();
    const uint64_t all = since_the_drop.use().storage_bytes.value_or(0);
    cold.warm_up_bytes = all - std::min(all, cold.run.machine.storage_bytes.value_or(0));
    out_.cold = std::move(cold);
  }

  static feed::FeedOptions silent(feed::FeedOptions options) {
    options.announce = false;
    return options;
  }

  Consumption consume_batches(TraceRecorder* trace) {
    Bar bar("batches", options_.batches, options_.progress);
    const int slots = loader_->statistics().slots.total();
    return consume(*loader_, platform_, out_.options.roles.model,
                   {.warm_up = 2 * static_cast<size_t>(slots),
                    .batches = options_.batches,
                    .most_s = kMostSeconds,
                    .step_s = options_.step_s,
                    .trace = trace,
                    .after_batch = [&] { bar.progress.advance(); }});
  }

  void measure() {
    loader_ = feed::make_loader(clips_, out_.options, platform_, options_.trace);
    out_.run = consume_batches(options_.trace);
    out_.times = summarize(out_.run.batches);
    out_.faults = loader_->faults();
  }

  /// The other of the two loaders, for a moment.
  double other_rate(bool native) {
    feed::FeedOptions options = silent(out_.options);
    options.native = native;
    const auto loader = feed::make_loader(clips_, options, platform_);
    return consume(*loader, platform_, options.roles.model,
                   {.warm_up = 1,
                    .batches = kReferenceBatches,
                    .most_s = kReferenceSeconds,
                    .step_s = options_.step_s})
        .clips_per_second();
  }

  void measure_reference() {
    loader_.reset();
    const double rate = other_rate(!out_.options.native);
    (out_.options.native ? out_.reference_rate : native_rate_) = rate;
    if (!out_.options.native) out_.reference_rate = out_.run.clips_per_second();
  }

  std::vector<int> grid_batches() const {
    if (!options_.batch_sizes.empty()) return options_.batch_sizes;
    if (out_.options.batch_frames > 0) return {out_.options.batch_size};
    return {std::begin(kBatchSizes), std::end(kBatchSizes)};
  }

  void measure_grid() {
    loader_.reset();
    warm_up(clips_, out_.options, platform_, kWarmUpSeconds);
    TrialSettings settings = trial_settings(out_.options);
    for (const int batch : grid_batches()) {
      settings.batch_size = batch;
      for (const int workers : options_.workers) {
        settings.workers = workers;
        out_.grid.push_back({settings, {}});
      }
    }
    Bar bar("trials", kRepeats * out_.grid.size(), options_.progress);
    run_interleaved(out_.grid, kRepeats,
                    trial_runner(clips_, out_.options, platform_, options_.step_s, kTrialSeconds),
                    [&] { bar.progress.advance(); });
    if (const Trial* best = cheapest_good(out_.grid, options_.step_s)) out_.recommended = *best;
  }

  Situation situation(const Consumption& run) const {
    Situation out;
    out.loader = run.loader;
    out.batches = run.batches;
    out.step_s = options_.step_s;
    out.stall = run.stall();
    out.machine = run.machine;
    const feed::FeedOptions& options = out_.options;
    out.settings =
        settings_of(options, from_cache(), from_cache() ? bytes_of(cache_files(open_.prepare)) : 0);
    out.native_rate = native_rate_;
    out.best_padding = padding_of_own_choice(*clips_.source, options);
    return out;
  }

  /// What a remedy brings is measured, with a loader that keeps to that number.
  void try_more_workers(Situation& now) {
    loader_.reset();
    now.more_workers = more_workers_than(now.loader.workers);
    const feed::FeedOptions& options = out_.options;
    const auto run = trial_runner(clips_, options, platform_, options_.step_s, kDifferenceSeconds);
    TrialSettings settings = trial_settings(options);
    settings.workers = now.more_workers;
    now.more_workers_rate = run(settings).clips_per_second;
  }

  void add_grid(Situation& now) const {
    if (!out_.recommended) return;
    now.larger_batch = out_.recommended->settings.batch_size;
    now.larger_batch_rate = out_.recommended->clips_per_second();
  }

  void judge_all() {
    Situation now = situation(out_.run);
    add_grid(now);
    out_.verdict = judge(now);
    const Cause cause = out_.verdict.cause;
    if (cause == Cause::too_few_workers || cause == Cause::slow_storage) {
      try_more_workers(now);
      out_.verdict = judge(now);
    }
    if (cause != Cause::healthy || !out_.cold) return;
    Situation cold = situation(out_.cold->run);
    cold.warm_rate = out_.run.clips_per_second();
    if (Verdict verdict = judge(cold); verdict.cause != Cause::healthy)
      out_.verdict = std::move(verdict);
  }

  const device::Platform& platform_;
  const ProfileOptions& options_;
  feed::OpenOptions open_;
  dataset::Corpus corpus_;
  feed::OpenedClips clips_;
  std::unique_ptr<feed::Loader> loader_;
  std::optional<double> native_rate_;
  DataProfile out_;
};

}  // namespace

double DataProfile::padding() const {
  const feed::LoaderStatistics& loader = run.loader;
  if (loader.frames == 0) return 0;
  return 1 - static_cast<double>(loader.real_frames) / static_cast<double>(loader.frames);
}

DataProfile profile_data(const config::Config& config, const device::Platform& platform,
                         const ProfileOptions& options) {
  return Profiler(config, platform, options).profile();
}

}  // namespace seda::diagnose
