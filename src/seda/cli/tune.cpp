// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/tune.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/base/progress.h"
#include "seda/base/thread.h"
#include "seda/base/units.h"
#include "seda/cli/flags.h"
#include "seda/cli/limits.h"
#include "seda/cli/verbs.h"
#include "seda/diagnose/apply_settings.h"
#include "seda/feed/open_clips.h"
#include "seda/feed/prepare_options.h"

namespace seda::cli {
namespace {

using diagnose::AppliedSettings;
using diagnose::Trial;
using diagnose::TrialSettings;
using diagnose::TuneReport;

constexpr double kTrialSeconds = 0.4;
constexpr double kWarmUpSeconds = 10;

struct TuneFlags {
  std::string folder;
  double step_ms = 0;
  double most_s = 50;
  std::vector<int> batch_sizes;
  bool grid = false;
  bool apply = false;
};

void require_clips_by_number(const TuneFlags& flags, const config::Config& config) {
  if (flags.batch_sizes.empty() || config.is_auto("data.batch_frames")) return;
  throw_error(ErrorKind::usage,
              "--batch-sizes: expected batches measured by clips, found data.batch_frames {} ({}), "
              "with which data.batch_size is not looked at; leave one of them out",
              config.integer("data.batch_frames"), config.source("data.batch_frames").text());
}

std::filesystem::path file_to_edit(const ConfigFlags::Loaded& loaded) {
  if (loaded.file) return *loaded.file;
  throw_error(ErrorKind::usage,
              "--apply: expected a configuration file to edit, found none; name one with --config, "
              "or make ./seda.yaml");
}

Json to_json(const TuneReport& report, const AppliedSettings& applied) {
  Json trials = Json::array();
  for (const Trial& trial : report.trials) {
    trials.push_back({{"settings", diagnose::to_json(trial.settings)},
                      {"clips_per_second", trial.clips_per_second()},
                      {"stall", trial.stall()},
                      {"runs", trial.runs.size()}});
  }
  Json chosen = diagnose::to_json(report.chosen.settings);
  chosen["clips_per_second"] = report.chosen.clips_per_second();
  chosen["stall"] = report.chosen.stall();
  return {{"trials", std::move(trials)},
          {"chosen", std::move(chosen)},
          {"seconds", report.seconds},
          {"best_share", report.best_share},
          {"applied", applied.kept},
          {"reverted", applied.reverted},
          {"why", applied.why},
          {"diff", applied.diff},
          {"backup", applied.backup.string()}};
}

std::string trial_text(const Trial& trial, bool paced) {
  std::string out =
      fmt::format("{}: {:.0f} clips/s", to_string(trial.settings), trial.clips_per_second());
  if (paced) out += fmt::format(", stall {:.1f} %", 100 * trial.stall());
  return out + "\n";
}

std::string applied_text(const AppliedSettings& applied, bool paced) {
  if (applied.diff.empty()) return fmt::format("applied    nothing: {}\n", applied.why);
  std::string out = applied.diff;
  out += "before     " + trial_text(applied.before, paced);
  out += "after      " + trial_text(applied.after, paced);
  return out + (applied.kept ? fmt::format("applied    kept; the file before is {}\n",
                                           applied.backup.string())
                             : fmt::format("applied    taken back: {}\n", applied.why));
}

/// Why it was chosen, though others may be faster.
std::string merit_text(const Trial& chosen, bool paced) {
  if (paced && chosen.stall() <= diagnose::kNoStall) return "the cheapest with which no step waits";
  const std::string words = fmt::format("the cheapest within {} of those tried beside it",
                                        format_percent(1 - diagnose::kGoodShare));
  if (chosen.runs.size() < 2) return words + ", in a run each";
  const double noise = spread(chosen, &diagnose::TrialRun::clips_per_second);
  return fmt::format("{}; its runs differ by ± {:.0f} %", words,
                     100 * noise / std::max(1.0, chosen.clips_per_second()));
}

std::string report_text(const TuneReport& report, bool paced) {
  std::string out;
  for (const Trial& trial : report.trials)
    out += "trial      " + trial_text(trial, paced);
  out += "current    " + trial_text(report.trials.front(), paced);
  out += "chosen     " + trial_text(report.chosen, paced);
  out += fmt::format("share      {:.0f} % of the best trial: {}\n", 100 * report.best_share,
                     merit_text(report.chosen, paced));
  return out + fmt::format("time       {}, {} settings\n", format_seconds(report.seconds),
                           report.trials.size());
}

void run(const ConfigFlags::Loaded& loaded, const TuneFlags& flags, const Common& common) {
  const config::Config& config = loaded.config;
  const auto corpus = corpus_folder(flags.folder, config);
  if (flags.apply) file_to_edit(loaded);
  require_clips_by_number(flags, config);
  const device::Platform platform;
  auto open = feed::open_options(config, corpus, &platform);
  open.prepare.progress = progress_style(common.quiet);
  const auto clips = feed::open_clips(open);
  const feed::FeedOptions options = feed::feed_options(config, platform);
  const double step_s = 1e-3 * flags.step_ms;
  diagnose::warm_up(clips, options, platform, kWarmUpSeconds);
  const auto bare_run = diagnose::trial_runner(clips, options, platform, step_s, kTrialSeconds);
  const SteadyClock clock;
  LogProgressSink sink;
  Progress progress({"tune", "trials", 0, progress_style(common.quiet), terminal_width()}, clock,
                    sink);
  const auto run_trial = [&](const TrialSettings& settings) {
    progress.advance();
    return bare_run(settings);
  };
  const TuneReport report = diagnose::tune({.current = diagnose::trial_settings(options),
                                            .cores = usable_cores(),
                                            .step_s = step_s,
                                            .batch_sizes = flags.batch_sizes,
                                            .grid = flags.grid,
                                            .most_s = flags.most_s},
                                           run_trial, clock);
  AppliedSettings applied;
  if (flags.apply) {
    applied = diagnose::apply_settings(file_to_edit(loaded), report.trials.front(), report.chosen,
                                       run_trial, step_s);
  }
  progress.finish();
  if (common.json) return print_json(to_json(report, applied));
  print(report_text(report, step_s > 0));
  if (flags.apply) print(applied_text(applied, step_s > 0));
}

}  // namespace

void add_tune(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("tune", "find workers and buffers by measuring");
  const auto flags = std::make_shared<TuneFlags>();
  verb->add_option("DIR", flags->folder, "corpus folder, or its metadata file [data.dataset_path]");
  number(verb->add_option(
             "--step-ms", flags->step_ms,
             "time a training step takes: find the least that never lets it wait [as fast as "
             "possible]"),
         0, 60'000);
  integer(verb->add_option("--batch-sizes", flags->batch_sizes,
                           "choose the batch size too, among these [as configured]")
              ->delimiter(','),
          1, 4096);
  number(verb->add_option("--seconds", flags->most_s, "begin no new trial after so long [50]"), 0,
         3600);
  verb->add_flag("--grid", flags->grid, "try everything as well, to know the true best");
  verb->add_flag("--apply", flags->apply,
                 "write what was found where it is better, measure again, take it back where it "
                 "is not");
  const auto common = add_common(*verb);
  const auto config_flags = add_config_flags(*verb, {"data"});
  verb->footer(
      "Examples:\n  seda tune corpora/voice\n  seda tune corpora/voice --step-ms 45\n  seda tune "
      "--config voice.yaml --apply\n  seda tune corpora/voice --batch-sizes 8,16,32 --grid --json");
  verb->callback([=] { run(config_flags->load(), *flags, *common); });
}

}  // namespace seda::cli
