// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/diagnose_page.h"

#include <fmt/format.h>

#include "seda/base/html.h"
#include "seda/base/units.h"
#include "seda/cli/evidence_lines.h"
#include "seda/cli/page_parts.h"
#include "seda/report/line_chart.h"
#include "seda/report/page.h"
#include "seda/report/timeline.h"

namespace seda::cli {
namespace {

using diagnose::Diagnosis;

std::string tiles_part(const Diagnosis& diagnosis) {
  std::string out =
      report::tile("speed", fmt::format("{:.0f}", diagnosis.run.clips_per_second()), "clips/s");
  if (diagnosis.step_s > 0) {
    out += share_tile("data stall", diagnosis.run.stall(), diagnose::kStallBounds);
    out += report::tile("step", escape_html(format_seconds(diagnosis.step_s)),
                        escape_html(diagnosis.step_source));
  }
  out += variation_tile(diagnosis.times, diagnosis.step_s > 0);
  out += report::tile("corpus", fmt::format("{}", diagnosis.corpus.usable),
                      fmt::format("clips, {:.2f} h", diagnosis.corpus.hours));
  return report::tiles(out);
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
  std::string body =
      "<h1>Diagnosis</h1>\n" + verdict_card(diagnosis.verdict) + tiles_part(diagnosis);
  body += remedies_section(diagnosis.verdict.remedies);
  body += report::section(
      "How batches were made",
      report::charts(stage_chart(diagnosis.run.loader) + queue_part(diagnosis.traces) +
                     step_histogram(diagnosis.run, diagnosis.times) + step_curve(diagnosis.run) +
                     cores_part(diagnosis.traces) + gpus_part(diagnosis.traces)));
  body += report::section("Timeline", timeline_part(diagnosis));
  if (!diagnosis.memory_plan.empty()) {
    body += report::section("Memory plan", report::lines(diagnosis.memory_plan));
  }
  body += report::section("What was found", sections_part(diagnosis.sections));
  return report::page("seda diagnose", body);
}

}  // namespace seda::cli
