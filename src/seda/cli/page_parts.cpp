// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/page_parts.h"

#include <algorithm>

#include <fmt/format.h>

#include "seda/base/html.h"
#include "seda/base/units.h"
#include "seda/feed/worker_control.h"
#include "seda/report/bar_chart.h"
#include "seda/report/histogram.h"
#include "seda/report/line_chart.h"
#include "seda/report/page.h"

namespace seda::cli {
namespace {

using diagnose::Remedy;

std::string paragraph(const std::string& text) {
  return "<p>" + escape_html(text) + "</p>\n";
}

}  // namespace

std::string verdict_card(const diagnose::Verdict& verdict) {
  const bool fine = verdict.cause == diagnose::Cause::healthy;
  std::string out = fmt::format("<div class=\"card\"><p class=\"verdict\">{}</p>\n",
                                report::in_band(fine ? "good" : "poor", to_string(verdict.cause)));
  for (const std::string& line : verdict.evidence)
    out += paragraph(line);
  return out + "</div>\n";
}

std::string remedies_section(const std::vector<Remedy>& remedies) {
  if (remedies.empty()) return {};
  std::vector<report::Row> rows;
  rows.reserve(remedies.size());
  for (const Remedy& remedy : remedies) {
    rows.push_back({escape_html(remedy.change), remedy.expected_gain.empty()
                                                    ? "not measured"
                                                    : escape_html(remedy.expected_gain)});
  }
  return report::section("What to change", report::table({"change", "what it brought"}, rows));
}

std::string share_tile(std::string_view name, const std::optional<double>& share,
                       const diagnose::Bounds& bounds) {
  if (!share) return report::tile(name, "–", "not measured");
  const auto word = to_string(diagnose::band(*share, bounds));
  return report::tile(name, report::in_band(word, format_percent(*share, 1)), word);
}

std::string variation_tile(const diagnose::BatchTimes& times, bool paced) {
  constexpr const char* kName = "variation";
  if (paced || !times.variation)
    return share_tile(kName, times.variation, diagnose::kVariationBounds);
  return report::tile(kName, format_percent(*times.variation, 1), "of batches without a step");
}

std::string stage_chart(const feed::LoaderStatistics& loader) {
  std::vector<report::StackedBar> bars;
  for (const feed::LoaderStage& stage : loader.stages) {
    const double own =
        feed::is_of_workers(stage) ? std::max(1, loader.workers) * loader.seconds : loader.seconds;
    const double all = std::max(own, stage.work.worker_s());
    if (!(all > 0)) continue;
    std::string note = fmt::format("busy {:.1f} %", 100 * stage.work.busy_s / all);
    if (stage.work.bytes > 0) note += ", " + format_bytes(stage.work.bytes);
    if (stage.queue_size > 0)
      note += fmt::format(", {:.1f} of {} ready", stage.queue_mean, stage.queue_size);
    bars.push_back(
        {stage.name,
         {stage.work.busy_s / all, stage.work.blocked_in_s / all, stage.work.blocked_out_s / all},
         note});
  }
  return report::draw_bars({.title = fmt::format("Stages (workers: {})", loader.workers),
                            .parts = {"busy", "waits for work", "waits for room"}},
                           bars);
}

std::string step_histogram(const diagnose::Consumption& run, const diagnose::BatchTimes& times) {
  std::vector<double> ms;
  ms.reserve(run.batches.size());
  for (const diagnose::BatchTime& batch : run.batches)
    ms.push_back(1e3 * batch.seconds);
  const std::string note = times.oscillation.found
                               ? fmt::format("oscillates: every {} ({:.1f} batches, p {:.2g})",
                                             format_seconds(times.period_s),
                                             times.oscillation.period, times.oscillation.p_value)
                               : "no oscillation found";
  return report::draw_histogram({.title = "Step times", .unit = "ms", .note = note}, ms);
}

std::string step_curve(const diagnose::Consumption& run) {
  report::Curve curve;
  double at_s = 0;
  for (const diagnose::BatchTime& batch : run.batches)
    curve.push_back({at_s += batch.seconds, 1e3 * batch.seconds});
  return report::draw_lines({.title = "Step times in turn, ms",
                             .over = "seconds",
                             .scale = report::ChartScale::from_zero},
                            std::vector<report::ChartLine>{{"step", curve, false}});
}

}  // namespace seda::cli
