// SPDX-License-Identifier: Apache-2.0
#include "seda/train/profile_step.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/base/interrupt.h"
#include "seda/base/log.h"
#include "seda/base/progress.h"
#include "seda/base/units.h"
#include "seda/config/parse.h"
#include "seda/diagnose/lab.h"
#include "seda/diagnose/verdict.h"
#include "seda/train/ceiling.h"
#include "seda/train/flop_meter.h"
#include "seda/train/rehearsal.h"

namespace seda::train {
namespace {

constexpr size_t kPhaseSteps = 40;
constexpr size_t kLargerUpdates = 10;
constexpr const char* kPhaseNames[model::kPhases] = {"forward", "loss", "backward", "optimizer"};

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values)
    sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double deviation(const std::vector<double>& values) {
  const double middle = mean(values);
  double sum = 0;
  for (const double value : values)
    sum += (value - middle) * (value - middle);
  return values.empty() ? 0 : std::sqrt(sum / static_cast<double>(values.size()));
}

diagnose::StepPhase phase_of(const char* name, const std::vector<double>& device_s, double host_s) {
  return {.name = name, .mean_s = mean(device_s), .std_s = deviation(device_s), .host_s = host_s};
}

std::vector<diagnose::StepKernel> kernels_of_step(const BusyTime& busy) {
  std::vector<diagnose::StepKernel> out;
  const auto steps = static_cast<double>(std::max<size_t>(1, busy.steps));
  out.reserve(busy.by_name.size());
  for (const KernelTime& kernel : busy.by_name)
    out.push_back({kernel.name, static_cast<double>(kernel.count) / steps, kernel.seconds / steps});
  return out;
}

/// Whether a configuration may ask for batches of that size.
bool may_be_set(const feed::FeedOptions& feed) {
  const bool by_frames = feed.batch_frames > 0;
  const config::Key* key = config::find_key(feed::batch_key(feed));
  const int size = by_frames ? feed.batch_frames : feed.batch_size;
  return !config::check_value(*key, config::Value(int64_t{size}));
}

std::string path_of(const EngineOptions& options) {
  if (options.checked) return "op by op, each checked";
  const char* kernels = options.fused ? "fused kernels" : "plain kernels";
  return fmt::format("{}, {}, {}", options.graphs ? "CUDA graphs" : "op by op", kernels,
                     options.mixed_precision ? "bf16" : "fp32");
}

class Profiler {
 public:
  Profiler(const TrainOptions& train, const Library& library, const device::Platform& platform,
           const StepProfileOptions& options)
      : train_(train),
        library_(library),
        platform_(platform),
        options_(options),
        setup_(set_up(train, platform)),
        progress_({"profile step", setup_.feed.roles.model.is_cuda() ? "steps" : "layers", 0,
                   train.progress, terminal_width()},
                  clock_, sink_),
        engine_(heeding(engine_options(train, setup_))),
        run_(train, setup_, setup_.feed, engine_, library, platform) {}

  JudgedStep profile() {
    out_.model = setup_.feed.roles.model;
    out_.path = path_of(engine_);
    out_.batch_frames = setup_.feed.batch_frames;
    out_.batch_size = out_.batch_frames > 0 ? 0 : setup_.feed.batch_size;
    measure_loop();
    measure_idleness();
    measure_phases();
    measure_ways();
    if (options_.larger_batch) measure_larger();
    progress_.finish();
    return {out_, judge()};
  }

 private:
  EngineOptions heeding(EngineOptions engine) {
    engine.heed = [this] {
      throw_if_interrupted();
      progress_.advance();
    };
    return engine;
  }

  void measure_loop() {
    rehearsed_ = run_.learn({.updates = options_.steps,
                             .most_s = options_.most_s,
                             .most_warm_up_s = options_.most_warm_up_s});
    const diagnose::BatchTimes times = rehearsed_.steps.times();
    const RunFigures figures = rehearsed_.steps.figures();
    out_.steps = figures.batches;
    out_.clips = figures.clips_per_second / figures.batches_per_second;
    out_.frames = figures.frames_per_second / figures.batches_per_second / (1 - figures.padding);
    out_.total_s = times.mean;
    out_.std_s = times.std;
    out_.host_syncs = rehearsed_.host_syncs;
    const FlopMeter meter(setup_.voice.model, fixed_shapes(run_.loader(), setup_.feed),
                          peak_flops(platform_, out_.model, engine_.mixed_precision));
    out_.flops = meter.per_step(rehearsed_.steps);
    out_.flop_share = meter.share(rehearsed_.steps);
  }

  /// By kernels of a few steps more, which are slower for being recorded; failing that, by what the
  /// chip or its driver counted over the steps before.
  void measure_idleness() {
    if (const auto busy = run_.time_kernels(rehearsed_.steps, options_.other_s)) {
      out_.gpu_idle_share = 1 - busy->share();
      out_.idle_source =
          fmt::format("{} kernels in {}", busy->kernels, format_seconds(busy->seconds));
      out_.kernels = kernels_of_step(*busy);
      return;
    }
    for (const GpuFigures& gpu : rehearsed_.gpus) {
      const auto& busy = gpu.busy_mean ? gpu.busy_mean : gpu.utilization_mean;
      if (gpu.device != out_.model || !busy) continue;
      out_.gpu_idle_share = 1 - *busy;
      out_.idle_source = gpu.busy_mean ? "counters of the chip" : "the driver's utilisation";
    }
  }

  /// The host looks at none before all are enqueued, as in a run; updates are as long as in one.
  /// The first of each shape, which torch makes room for, is left out.
  std::vector<PhaseTimes> time_phases() {
    std::set<uint32_t> shapes;
    std::vector<bool> counts;
    const Stopwatch time;
    while (counts.size() < kPhaseSteps &&
           (counts.size() < 2 || time.seconds() < 2 * options_.other_s)) {
      const auto lease = run_.loader().next(run_.stream());
      if (!lease) continue;
      for (bool again = shapes.insert((*lease)->info.bucket).second;; again = false) {
        const auto part = static_cast<int>(counts.size()) % train_.optimizer.accumulation;
        run_.engine().step_in_phases(**lease, {.part = part});
        counts.push_back(!again);
        if (!again) break;
      }
    }
    const auto times = run_.engine().collect_phases();
    run_.engine().collect(0);
    std::vector<PhaseTimes> out;
    for (size_t i = 0; i < times.size(); ++i) {
      if (counts[i]) out.push_back(times[i]);
    }
    return out;
  }

  void measure_phases() {
    out_.phases.push_back(phase_of("data_wait", rehearsed_.steps.last_waits(), 0));
    const auto times = time_phases();
    for (size_t phase = 0; phase < model::kPhases; ++phase) {
      std::vector<double> device;
      std::vector<double> host;
      for (const PhaseTimes& step : times) {
        device.push_back(step.device_s[phase]);
        host.push_back(step.host_s[phase]);
      }
      out_.phases.push_back(phase_of(kPhaseNames[phase], device, mean(host)));
      out_.host_s += mean(host);
    }
    out_.phases.push_back(
        phase_of("logging", rehearsed_.logging_s,
                 rehearsed_.logging_host_s / static_cast<double>(rehearsed_.updates)));
    share_out();
  }

  void share_out() {
    double sum = 0;
    for (const diagnose::StepPhase& phase : out_.phases)
      sum += phase.mean_s;
    for (diagnose::StepPhase& phase : out_.phases)
      phase.share = sum > 0 ? phase.mean_s / sum : 0;
  }

  std::optional<Ceiling> resident(Engine& engine, Rehearsal& run,
                                  const FigureCounter& weights) const {
    return measure_ceiling(engine, run.loader(), run.stream(), weights,
                           train_.optimizer.accumulation, options_.other_s);
  }

  std::optional<double> resident_s(Engine& engine) {
    const auto found = resident(engine, run_, rehearsed_.steps);
    if (!found) return std::nullopt;
    return 1 / found->batches_per_second;
  }

  /// A step of an engine with other options, on the same batches.
  std::optional<double> other_way(bool graphs, bool fused) {
    if (graphs == engine_.graphs && fused == engine_.fused) return out_.ceiling_s;
    EngineOptions options = engine_;
    options.graphs = graphs;
    options.fused = fused;
    return resident_s(*run_.other_engine(options));
  }

  /// Whether the host is made to wait for each step.
  bool is_watched() const { return engine_.checked || engine_.look_ms > 0; }

  std::optional<double> unwatched() {
    TrainOptions train = train_;
    train.config = diagnose::with_setting(train.config, "training.enable_eager_debug", "false");
    EngineOptions options = heeding(engine_options(train, setup_));
    options.look_ms = 0;
    return resident_s(*run_.other_engine(options));
  }

  /// Of resident batches; failing that, of the loop without its waits.
  void measure_ceiling_of_run() {
    if (const auto found = resident(run_.engine(), run_, rehearsed_.steps)) {
      out_.ceiling_s = 1 / found->batches_per_second;
      out_.ceiling_frames = found->frames;
    } else {
      out_.ceiling_s = (1 - rehearsed_.steps.figures().stall) * out_.total_s;
      out_.ceiling_frames = out_.frames;
    }
  }

  void measure_ways() {
    measure_ceiling_of_run();
    if (is_watched()) out_.unwatched_s = unwatched();
    if (engine_.checked) return;
    out_.fused_s = other_way(false, true);
    out_.plain_s = other_way(false, false);
    if (out_.model.is_cuda()) out_.graph_s = other_way(true, true);
    measure_what_is_off();
  }

  /// One setting turned on by itself; most such ways were measured just now.
  void measure_what_is_off() {
    if (!engine_.graphs && out_.model.is_cuda()) {
      out_.as_graph_s = engine_.fused ? out_.graph_s : other_way(true, false);
    }
    if (!engine_.fused) out_.with_fused_s = engine_.graphs ? out_.graph_s : out_.fused_s;
  }

  /// Memory that is not there for twice as large batches is no fault of the step's.
  void measure_larger() {
    feed::FeedOptions feed = setup_.feed;
    feed.batch_size *= 2;
    feed.batch_frames *= 2;
    if (!may_be_set(feed)) return;
    try {
      Rehearsal run(train_, setup_, feed, engine_, library_, platform_);
      const RehearsalFigures seen = run.learn({.updates = kLargerUpdates,
                                               .most_s = options_.other_s,
                                               .most_warm_up_s = options_.most_warm_up_s});
      out_.larger_batch = feed.batch_frames > 0 ? feed.batch_frames : feed.batch_size;
      if (const auto found = resident(run.engine(), run, seen.steps)) {
        out_.larger_batch_s = 1 / found->batches_per_second;
        out_.larger_frames = found->frames;
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::memory && error.kind() != ErrorKind::config) throw;
      log::debug("batches of {} were not tried: {}", feed::batch_words(feed), error.what());
    }
  }

  diagnose::Verdict judge() const {
    diagnose::Situation now = situation_of(rehearsed_, setup_.feed, setup_, out_.ceiling_s);
    now.step = out_;
    return diagnose::judge(now);
  }

  const TrainOptions& train_;
  const Library& library_;
  const device::Platform& platform_;
  const StepProfileOptions& options_;
  RunSetup setup_;
  SteadyClock clock_;
  LogProgressSink sink_;
  Progress progress_;
  EngineOptions engine_;
  Rehearsal run_;
  RehearsalFigures rehearsed_;
  diagnose::StepProfile out_;
};

}  // namespace

JudgedStep profile_step(const TrainOptions& train, const Library& library,
                        const device::Platform& platform, const StepProfileOptions& options) {
  const TrainOptions own = without_runs(train);
  return Profiler(own, library, platform, options).profile();
}

}  // namespace seda::train
