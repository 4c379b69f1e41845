// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/profile_report.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/html.h"
#include "seda/base/units.h"
#include "seda/cli/page_parts.h"
#include "seda/cli/stage_bars.h"
#include "seda/diagnose/bands.h"
#include "seda/report/page.h"

namespace seda::cli {
namespace {

using diagnose::band;
using diagnose::BatchTimes;
using diagnose::DataProfile;
using diagnose::kBandClips;
using diagnose::ProfileOptions;
using diagnose::Trial;

double mean(const std::vector<double>& values) {
  return values.empty() ? 0
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}

double padding_share(const DataProfile& profile) {
  const feed::LoaderStatistics& loader = profile.run.loader;
  if (loader.frames == 0) return 0;
  return 1 - static_cast<double>(loader.real_frames) / static_cast<double>(loader.frames);
}

/// Shares that need a step to be told from.
Json idle_estimate(const DataProfile& profile, const ProfileOptions& options) {
  return options.step_s > 0 ? Json(profile.run.stall()) : Json();
}

// JSON

Json to_json(const BatchTimes& times) {
  return {{"mean", 1e3 * times.mean}, {"std", 1e3 * times.std},       {"min", 1e3 * times.min},
          {"max", 1e3 * times.max},   {"median", 1e3 * times.median}, {"p95", 1e3 * times.p95},
          {"p99", 1e3 * times.p99}};
}

Json to_json(const std::vector<feed::LoaderStage>& stages) {
  Json out = Json::array();
  for (const feed::LoaderStage& stage : stages) {
    out.push_back({{"name", stage.name},
                   {"count", stage.work.count},
                   {"busy", stage.work.busy_s},
                   {"blocked_in", stage.work.blocked_in_s},
                   {"blocked_out", stage.work.blocked_out_s},
                   {"queue_mean", stage.queue_mean},
                   {"queue_size", stage.queue_size},
                   {"bytes", stage.work.bytes}});
  }
  return out;
}

Json to_json(const Trial& trial) {
  return {{"batch_size", trial.settings.batch_size},
          {"num_workers", trial.settings.workers},
          {"clips_per_second", trial.clips_per_second()},
          {"batch_ms", 1e3 * trial.batch_s()},
          {"variation", trial.variation()}};
}

Json grid_json(const std::vector<Trial>& grid) {
  Json out = Json::array();
  for (const Trial& trial : grid)
    out.push_back(to_json(trial));
  return out;
}

Json recommended_json(const std::optional<Trial>& trial) {
  if (!trial) return {};
  return {{"batch_size", trial->settings.batch_size},
          {"num_workers", trial->settings.workers},
          {"expected_ms", 1e3 * trial->batch_s()},
          {"expected_variation", trial->variation()}};
}

Json cold_json(const std::optional<diagnose::ColdRun>& cold) {
  if (!cold) return {};
  return {{"clips_per_second", cold->run.clips_per_second()},
          {"batch_ms", to_json(summarize(cold->run.batches))},
          {"wait_ms", 1e3 * mean(cold->run.waits_s)},
          {"storage_bytes", cold->run.machine.storage_bytes.value_or(0)},
          {"resident_before", cold->resident}};
}

// Text

std::string line(std::string_view name, const std::string& text) {
  return fmt::format("{:<12} {}\n", name, text);
}

std::string sample_text(const DataProfile& profile) {
  const auto& [lines, per_line_s, total_s] = profile.text;
  std::string out = line("corpus", fmt::format("{} clips from {}, cache {}", profile.clips,
                                               profile.path, profile.cache_state));
  out += line("text", fmt::format("{} a line, {} for {} lines (uncached, one thread)",
                                  format_seconds(per_line_s), format_seconds(total_s), lines));
  out += line("audio", fmt::format("{} a file, variation {}, {} files, {} bad (one thread)",
                                   format_seconds(profile.audio.load_s),
                                   format_percent(profile.audio.variation), profile.audio.files,
                                   profile.audio.bad));
  return out;
}

std::string consumer_text(const DataProfile& profile, const ProfileOptions& options) {
  const auto& roles = profile.options.roles;
  return line("devices", fmt::format("data {}, model {}", device::to_string(roles.data),
                                     device::to_string(roles.model))) +
         line("measured",
              fmt::format("{} batches of {} clips in {}, {}", profile.run.loader.batches,
                          profile.options.batch_size, format_seconds(profile.run.seconds),
                          options.step_s > 0
                              ? fmt::format("{} of work on each", format_seconds(options.step_s))
                              : "nothing done with them"));
}

std::string times_text(const DataProfile& profile) {
  const BatchTimes& times = profile.times;
  const double of_band = times.mean * kBandClips / profile.options.batch_size;
  std::string out = line("speed", fmt::format("{:.0f} clips/s", profile.run.clips_per_second()));
  out += line("batch", fmt::format("mean {}, std {}, min {}, max {}  ({})",
                                   format_seconds(times.mean), format_seconds(times.std),
                                   format_seconds(times.min), format_seconds(times.max),
                                   to_string(band(of_band, diagnose::kBatchSecondsBounds))));
  out += line("", fmt::format("median {}, p95 {}, p99 {}", format_seconds(times.median),
                              format_seconds(times.p95), format_seconds(times.p99)));
  out += line("variation",
              fmt::format("{} within a shape, {} without outliers  ({})",
                          format_percent(times.variation), format_percent(times.robust_variation),
                          to_string(band(times.variation, diagnose::kVariationBounds))));
  const auto& [found, period, p_value] = times.oscillation;
  out += line("oscillation", found ? fmt::format("every {} ({:.1f} batches), p {:.2g}",
                                                 format_seconds(times.period_s), period, p_value)
                                   : fmt::format("none (p {:.2g})", p_value));
  return out;
}

std::string stall_text(const DataProfile& profile, const ProfileOptions& options) {
  std::string out =
      line("wait", fmt::format("{} a batch", format_seconds(mean(profile.run.waits_s))));
  out += line("GPU idle",
              options.step_s > 0
                  ? fmt::format("{} of the time, for want of data  ({})",
                                format_percent(profile.run.stall()),
                                to_string(band(profile.run.stall(), diagnose::kStallBounds)))
                  : "not known without a step's time (--step-ms)");
  const double padding = padding_share(profile);
  return out + line("padding", fmt::format("{} of the frames  ({})", format_percent(padding),
                                           to_string(band(padding, diagnose::kPaddingBounds))));
}

std::string cold_text(const DataProfile& profile) {
  if (!profile.cold) return {};
  const auto& [run, resident] = *profile.cold;
  std::string out =
      line("cold", fmt::format("{:.0f} clips/s, {} a batch, {} read from storage",
                               run.clips_per_second(), format_seconds(summarize(run.batches).mean),
                               format_bytes(run.machine.storage_bytes.value_or(0))));
  if (resident > 0.5) {
    out += line("", fmt::format("{} of the bytes could not be dropped from memory",
                                format_percent(resident)));
  }
  return out + line("warm", fmt::format("{:.0f} clips/s", profile.run.clips_per_second()));
}

std::string reference_text(const DataProfile& profile) {
  if (!profile.reference_rate) return {};
  const double rate = profile.run.clips_per_second();
  return line("reference", fmt::format("{:.0f} clips/s; this loader is {:.1f} x as fast",
                                       *profile.reference_rate, rate / *profile.reference_rate));
}

std::string grid_text(const DataProfile& profile) {
  if (profile.grid.empty()) return {};
  std::string out = "grid         batch  workers  clips/s  ms a batch  variation\n";
  for (const Trial& trial : profile.grid) {
    out += fmt::format("             {:>5}  {:>7}  {:>7.0f}  {:>10.1f}  {:>9}\n",
                       trial.settings.batch_size, trial.settings.workers, trial.clips_per_second(),
                       1e3 * trial.batch_s(), format_percent(trial.variation()));
  }
  if (!profile.recommended) return out;
  const Trial& best = *profile.recommended;
  return out + line("recommended",
                    fmt::format("batch {}, {} workers: {} a batch, variation {}; the cheapest "
                                "within 2 % of the best",
                                best.settings.batch_size, best.settings.workers,
                                format_seconds(best.batch_s()), format_percent(best.variation())));
}

// Page

std::string figures_part(const DataProfile& profile, const ProfileOptions& options) {
  std::string out =
      report::tile("speed", fmt::format("{:.0f}", profile.run.clips_per_second()), "clips/s") +
      report::tile("batch", escape_html(format_seconds(profile.times.median)), "median");
  if (options.step_s > 0)
    out += share_tile("GPU idle", profile.run.stall(), diagnose::kStallBounds);
  out += share_tile("variation", profile.times.variation, diagnose::kVariationBounds);
  out += share_tile("padding", padding_share(profile), diagnose::kPaddingBounds);
  return report::tiles(out);
}

std::string grid_section(const DataProfile& profile) {
  if (profile.grid.empty()) return {};
  std::vector<report::Row> rows;
  rows.reserve(profile.grid.size());
  for (const Trial& trial : profile.grid) {
    rows.push_back(
        {std::to_string(trial.settings.batch_size), std::to_string(trial.settings.workers),
         fmt::format("{:.0f}", trial.clips_per_second()),
         fmt::format("{:.1f}", 1e3 * trial.batch_s()), format_percent(trial.variation())});
  }
  return report::section(
      "Grid", report::table({"batch", "workers", "clips/s", "ms a batch", "variation"}, rows));
}

}  // namespace

std::string verdict_text(const diagnose::Verdict& verdict) {
  std::string out = line("verdict", std::string(to_string(verdict.cause)));
  for (const std::string& evidence : verdict.evidence)
    out += line("", evidence);
  for (const diagnose::Remedy& remedy : verdict.remedies) {
    out += line("change", remedy.expected_gain.empty()
                              ? remedy.change
                              : fmt::format("{}  gives {}", remedy.change, remedy.expected_gain));
  }
  return out;
}

Json to_json(const DataProfile& profile, const ProfileOptions& options) {
  const BatchTimes& times = profile.times;
  return {{"text",
           {{"per_line_us", 1e6 * profile.text.per_line_s},
            {"total_s", profile.text.total_s},
            {"lines", profile.text.lines}}},
          {"audio",
           {{"load_ms", 1e3 * profile.audio.load_s},
            {"variation", profile.audio.variation},
            {"files", profile.audio.files},
            {"bad", profile.audio.bad}}},
          {"batches", profile.run.loader.batches},
          {"clips_per_second", profile.run.clips_per_second()},
          {"batch_ms", to_json(times)},
          {"wait_ms", 1e3 * mean(profile.run.waits_s)},
          {"gpu_idle_estimate", idle_estimate(profile, options)},
          {"variation", times.variation},
          {"robust_variation", times.robust_variation},
          {"oscillation",
           {{"found", times.oscillation.found},
            {"period_s", times.oscillation.found ? Json(times.period_s) : Json()},
            {"p_value", times.oscillation.p_value}}},
          {"stages", to_json(profile.run.loader.stages)},
          {"verdict", diagnose::to_json(profile.verdict)},
          {"reference",
           profile.reference_rate ? Json{{"clips_per_second", *profile.reference_rate}} : Json()},
          {"grid", grid_json(profile.grid)},
          {"recommended", recommended_json(profile.recommended)},
          {"cold", cold_json(profile.cold)},
          {"step_ms", 1e3 * options.step_s},
          {"workers", profile.run.loader.workers},
          {"path", profile.path},
          {"cache_state", profile.cache_state},
          {"faults", profile.faults.size()},
          {"devices",
           {{"data", device::to_string(profile.options.roles.data)},
            {"model", device::to_string(profile.options.roles.model)}}}};
}

std::string report_text(const DataProfile& profile, const ProfileOptions& options) {
  std::string out = sample_text(profile) + consumer_text(profile, options) + times_text(profile) +
                    stall_text(profile, options);
  out += fmt::format("stages       workers {}\n", profile.run.loader.workers) +
         stage_bars(profile.run.loader);
  out += cold_text(profile) + reference_text(profile) + grid_text(profile);
  if (!profile.faults.empty())
    out += line("faults", fmt::format("{} clips are bad and were replaced", profile.faults.size()));
  return out + verdict_text(profile.verdict);
}

std::string report_page(const DataProfile& profile, const ProfileOptions& options) {
  const std::string text = sample_text(profile) + consumer_text(profile, options) +
                           times_text(profile) + stall_text(profile, options) + cold_text(profile) +
                           reference_text(profile);
  return report::page(
      "seda profile data",
      "<h1>The loader</h1>\n" + verdict_card(profile.verdict) + figures_part(profile, options) +
          remedies_section(profile.verdict.remedies) +
          report::section("How batches were made",
                          report::charts(stage_chart(profile.run.loader) +
                                         step_histogram(profile.run, profile.times) +
                                         step_curve(profile.run))) +
          grid_section(profile) + report::section("All figures", report::lines({text})));
}

}  // namespace seda::cli
