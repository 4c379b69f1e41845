// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/diagnose_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "seda/base/html.h"
#include "seda/base/units.h"
#include "seda/cli/evidence_lines.h"
#include "seda/diagnose/bands.h"
#include "seda/feed/worker_control.h"
#include "seda/report/bar_chart.h"
#include "seda/report/histogram.h"
#include "seda/report/page.h"
#include "seda/report/timeline.h"

namespace seda::cli {
namespace {

using diagnose::Diagnosis;
using diagnose::Remedy;

std::string paragraph(const std::string& text) {
  return "<p>" + escape_html(text) + "</p>\n";
}

std::string verdict_part(const Diagnosis& diagnosis) {
  const auto& [cause, evidence, remedies] = diagnosis.verdict;
  const bool fine = cause == diagnose::Cause::healthy;
  std::string out = fmt::format("<div class=\"card\"><p class=\"verdict\">{}</p>\n",
                                report::in_band(fine ? "good" : "poor", to_string(cause)));
  for (const std::string& line : evidence)
    out += paragraph(line);
  return out + "</div>\n";
}

std::string remedies_part(const std::vector<Remedy>& remedies) {
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

std::string tiles_part(const Diagnosis& diagnosis) {
  using diagnose::band;
  std::string out =
      report::tile("speed", fmt::format("{:.0f}", diagnosis.run.clips_per_second()), "clips/s");
  if (diagnosis.step_s > 0) {
    const double stall = diagnosis.run.stall();
    const auto word = to_string(band(stall, diagnose::kStallBounds));
    out += report::tile("data stall", report::in_band(word, format_percent(stall, 1)),
                        std::string(word));
    out += report::tile("step", escape_html(format_seconds(diagnosis.step_s)),
                        escape_html(diagnosis.step_source));
  }
  const double variation = diagnosis.times.variation;
  const auto word = to_string(band(variation, diagnose::kVariationBounds));
  out += report::tile("variation", report::in_band(word, format_percent(variation, 1)),
                      std::string(word));
  out += report::tile("corpus", fmt::format("{}", diagnosis.corpus.usable),
                      fmt::format("clips, {:.2f} h", diagnosis.corpus.hours));
  return report::tiles(out);
}

std::string stages_part(const feed::LoaderStatistics& loader) {
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

std::string timeline_part(const Diagnosis& diagnosis) {
  const auto seconds = [&](int64_t ns) {
    return 1e-9 * static_cast<double>(ns - diagnosis.rows_begin_ns);
  };
  std::vector<report::TimelineRow> rows;
  for (const TraceRow& row : diagnosis.rows) {
    report::TimelineRow& out = rows.emplace_back();
    out.name = row.name;
    for (const TraceRow::Span& span : row.spans)
      out.spans.push_back({span.name, seconds(span.start_ns), seconds(span.end_ns)});
  }
  const double length = seconds(diagnosis.rows_end_ns);
  return report::draw_timeline("Timeline: who did what, the last " + format_seconds(length), rows,
                               length);
}

std::string queue_part(const diagnose::RunTraces& traces) {
  std::vector<report::ChartLine> lines = {{"on the model device", traces.ready, false}};
  if (!traces.host_ready.empty()) lines.push_back({"on the host", traces.host_ready, false});
  return report::draw_lines({.title = "Batches that lie ready",
                             .over = "seconds",
                             .scale = report::ChartScale::from_zero},
                            lines);
}

std::string histogram_part(const Diagnosis& diagnosis) {
  std::vector<double> ms;
  ms.reserve(diagnosis.run.batches.size());
  for (const diagnose::BatchTime& batch : diagnosis.run.batches)
    ms.push_back(1e3 * batch.seconds);
  const auto& times = diagnosis.times;
  const std::string note = times.oscillation.found
                               ? fmt::format("oscillates: every {} ({:.1f} batches, p {:.2g})",
                                             format_seconds(times.period_s),
                                             times.oscillation.period, times.oscillation.p_value)
                               : "no oscillation found";
  return report::draw_histogram({.title = "Step times", .unit = "ms", .note = note}, ms);
}

std::string step_curve(const Diagnosis& diagnosis) {
  report::Curve curve;
  double at_s = 0;
  for (const diagnose::BatchTime& batch : diagnosis.run.batches)
    curve.push_back({at_s += batch.seconds, 1e3 * batch.seconds});
  return report::draw_lines({.title = "Step times in turn, ms",
                             .over = "seconds",
                             .scale = report::ChartScale::from_zero},
                            std::vector<report::ChartLine>{{"step", curve, false}});
}

std::string cores_part(const diagnose::RunTraces& traces) {
  return report::draw_lines(
      {.title = "Cores in use", .over = "seconds", .scale = report::ChartScale::from_zero},
      std::vector<report::ChartLine>{{"this process", traces.process_cores, false},
                                     {"others", traces.other_cores, false}});
}

std::string gpus_part(const diagnose::RunTraces& traces) {
  if (traces.gpus.empty()) return {};
  std::vector<report::ChartLine> lines;
  lines.reserve(traces.gpus.size());
  for (const auto& gpu : traces.gpus)
    lines.push_back({gpu.role + " GPU", gpu.busy, false});
  return report::draw_lines(
      {.title = "GPU in use", .over = "seconds", .scale = report::ChartScale::share}, lines);
}

std::string sections_part(const std::vector<diagnose::Section>& sections) {
  std::string out;
  for (const diagnose::Section& section : sections) {
    std::vector<report::Row> rows;
    for (const auto& [name, value] : evidence_lines(section.evidence))
      rows.push_back({escape_html(name), escape_html(value)});
    const bool banded = section.status != diagnose::kNotMeasured;
    out += fmt::format(
        "<h3>{}: {}</h3>\n{}", escape_html(section.name),
        banded ? report::in_band(section.status, section.status) : escape_html(section.status),
        report::table({"figure", "found"}, rows));
  }
  return out;
}

}  // namespace

std::string diagnosis_page(const Diagnosis& diagnosis) {
  std::string body = "<h1>Diagnosis</h1>\n" + verdict_part(diagnosis) + tiles_part(diagnosis);
  body += remedies_part(diagnosis.verdict.remedies);
  body += report::section(
      "How batches were made",
      report::charts(stages_part(diagnosis.run.loader) + queue_part(diagnosis.traces) +
                     histogram_part(diagnosis) + step_curve(diagnosis) +
                     cores_part(diagnosis.traces) + gpus_part(diagnosis.traces)));
  body += report::section("Timeline", timeline_part(diagnosis));
  if (!diagnosis.memory_plan.empty()) {
    body += report::section("Memory plan", report::lines(diagnosis.memory_plan));
  }
  body += report::section("What was found", sections_part(diagnosis.sections));
  return report::page("seda diagnose", body);
}

}  // namespace seda::cli
