// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/live_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/base/json_or_null.h"
#include "seda/base/stats.h"
#include "seda/base/units.h"
#include "seda/diagnose/bands.h"
#include "seda/diagnose/check_names.h"
#include "seda/diagnose/consumer.h"
#include "seda/feed/make_loader.h"

namespace seda::diagnose {
namespace {

constexpr size_t kMostBatches = 1'000'000;  // the time ends it
constexpr double kBetweenLooks = 0.1;       // as often as a chip counts

/// Asks the driver about one GPU now and then.
class Utilization {
 public:
  Utilization(const CheckContext& context, device::Device device) : monitor_(context.monitor) {
    if (device.is_cuda()) gpu_ = find_gpu(monitor_, context.platform.properties(device).pci_bus_id);
  }

  void look() {
    if (!gpu_ || since_.seconds() < kBetweenLooks) return;
    since_ = Stopwatch();
    if (const auto share = monitor_.sample(*gpu_).utilization) shares_.add(*share);
  }

  std::optional<double> mean() const {
    return shares_.count() > 0 ? std::optional(shares_.mean()) : std::nullopt;
  }

 private:
  device::Monitor& monitor_;
  std::optional<int> gpu_;
  Stopwatch since_;
  Statistics shares_;
};

/// Sets the time of a step, or says why it is not known.
void measure_step(LiveRun& run, const config::Config& config, const LiveOptions& options) {
  run.step_note = "step time not measured: " + options.no_step;
  if (!options.probe_step) return;
  try {
    const StepProfile step = options.probe_step(config);
    run.step_s = step.ceiling_s;
    if (step.gpu_idle_share) run.gpu_utilization = 1 - *step.gpu_idle_share;
    run.step_note = fmt::format("a step takes {} ({})", format_seconds(run.step_s), step.path);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    run.step_note = fmt::format("step time not measured: {}", error.what());
  }
}

std::string evidence_of(const LiveRun& run) {
  std::string out = fmt::format("{} batches in {}, {:.0f} clips/s: {}; {}", run.batches,
                                format_seconds(run.seconds), run.clips_per_second,
                                describe(run.path), run.step_note);
  if (run.step_s > 0) {
    out += fmt::format("; data stall {} ({})", format_percent(run.stall, 1),
                       to_string(band(run.stall, kStallBounds)));
  }
  if (run.gpu_utilization)
    out += fmt::format("; GPU utilisation {}", format_percent(*run.gpu_utilization, 1));
  return out;
}

}  // namespace

LiveRun run_live(const CheckContext& context, const LiveOptions& options) {
  if (!context.view || !context.feed)
    throw_error(ErrorKind::internal, "a live run was asked for without a corpus");
  LiveRun run;
  measure_step(run, context.config, options);
  const feed::FeedOptions& feed = *context.feed;
  const auto loader = feed::make_loader(context.view->clips, feed, context.platform);
  Utilization utilization(context, feed.roles.model);
  const auto slots = static_cast<size_t>(loader->statistics().slots.total());
  const Consumption taken = consume(*loader, context.platform, feed.roles.model,
                                    {.warm_up = feed.native ? 2 * slots : 1,
                                     .most_warm_up_s = options.seconds,
                                     .batches = kMostBatches,
                                     .most_s = options.seconds,
                                     .step_s = run.step_s,
                                     .after_batch = [&] { utilization.look(); }});
  run.path = path_of(loader->statistics(), feed, context.view->clips.source->path());
  run.batches = taken.batches.size();
  run.seconds = taken.seconds;
  run.clips_per_second = taken.clips_per_second();
  run.stall = taken.stall();
  if (!run.gpu_utilization) run.gpu_utilization = utilization.mean();
  return run;
}

Check check_live(const CheckContext& context, const LiveRun& run) {
  std::vector<Finding> findings;
  if (context.feed) find_wrong_path(context.config, run.path, *context.feed, findings);
  if (run.step_s > 0 && band(run.stall, kStallBounds) == Band::poor) {
    findings.push_back(of_machine(
        Severity::warning, FindingCode::starved,
        fmt::format("the consumer waited {} of the time", format_percent(run.stall, 1)),
        "seda diagnose names what holds the loader back, seda tune finds better settings"));
  }
  if (findings.empty() && run.step_s == 0) return not_measured(kLiveRun, evidence_of(run));
  return judged(kLiveRun, std::move(findings), evidence_of(run));
}

Json to_json(const LiveRun& run) {
  return {{"path", to_json(run.path)},
          {"batches", run.batches},
          {"seconds", run.seconds},
          {"clips_per_second", run.clips_per_second},
          {"step_ms", run.step_s > 0 ? Json(1e3 * run.step_s) : Json()},
          {"step_note", run.step_note},
          {"data_stall", run.step_s > 0 ? Json(run.stall) : Json()},
          {"gpu_utilization", or_null(run.gpu_utilization)}};
}

}  // namespace seda::diagnose
