// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "seda/base/build_info.h"
#include "seda/base/html.h"
#include "seda/base/units.h"
#include "seda/cli/watch_report.h"
#include "seda/diagnose/bands.h"
#include "seda/report/line_chart.h"
#include "seda/report/page.h"

namespace seda::cli {
namespace {

using diagnose::GpuPoint;
using diagnose::HostPoint;
using diagnose::is_known;
using report::ChartLine;
using report::ChartScale;
using report::tile;

constexpr double kGibibyte = 1024.0 * 1024 * 1024;
constexpr double kMebibyte = 1024.0 * 1024;

std::string head(const WatchResult& result) {
  std::string out = fmt::format(
      "<h1>seda watch</h1>\n<p>{}</p>\n<p class=\"soft\">{} samples in {}; seda {} ({})</p>\n",
      escape_html(result.what), result.record.samples, format_seconds(result.record.seconds),
      build_info().version, build_info().commit);
  for (const std::string& note : result.notes)
    out += fmt::format("<p class=\"soft\">{}</p>\n", escape_html(note));
  return out;
}

std::string_view verdict_class(diagnose::Cause cause) {
  if (cause == diagnose::Cause::healthy) return "good";
  const bool open = cause == diagnose::Cause::unknown || cause == diagnose::Cause::no_gpu;
  return open ? "soft" : "poor";
}

std::string verdict_section(const diagnose::Verdict& verdict) {
  std::string word(to_string(verdict.cause));
  std::ranges::replace(word, '_', ' ');
  std::string out = fmt::format("<div class=\"card\"><b>{}</b>\n",
                                report::in_band(verdict_class(verdict.cause), word));
  for (const std::string& evidence : verdict.evidence)
    out += fmt::format("<div>{}</div>\n", escape_html(evidence));
  for (const diagnose::Remedy& remedy : verdict.remedies)
    out += fmt::format("<div class=\"soft\">try: {}</div>\n", escape_html(remedy.change));
  return report::section("Verdict", out + "</div>\n");
}

std::string gpu_tiles(const WatchResult& result) {
  std::string out;
  for (size_t i = 0; i < result.record.machine.gpus.size(); ++i) {
    const device::GpuInfo& info = result.record.machine.gpus[i];
    const GpuPoint& mean = result.summary.gpus[i].mean;
    if (!is_known(mean.utilization)) continue;
    const auto band = to_string(diagnose::band(1 - mean.utilization, diagnose::kGpuIdleBounds));
    out += tile(fmt::format("GPU {} busy", info.index), format_percent(mean.utilization),
                report::in_band(band, band) + ", " + escape_html(info.name));
  }
  if (result.record.machine.gpus.empty())
    out += tile("GPU", "none", escape_html(result.record.machine.gpu_absence));
  return out;
}

std::string figures_section(const WatchResult& result) {
  const HostPoint& host = result.summary.host;
  std::string out = gpu_tiles(result);
  if (is_known(host.cpu)) {
    out += tile("process CPU", fmt::format("{:.1f} cores", host.cpu),
                fmt::format("of {}", result.record.machine.usable_cores));
  }
  if (is_known(host.machine_cpu)) {
    out += tile("machine CPU", format_percent(host.machine_cpu),
                fmt::format("of {} cores", result.record.machine.cores));
  }
  if (is_known(result.record.peak.host.resident_bytes)) {
    out += tile("process memory",
                format_bytes(static_cast<uint64_t>(result.record.peak.host.resident_bytes)),
                "at most");
  }
  if (is_known(host.disk_busy)) out += tile("disk busy", format_percent(host.disk_busy));
  return report::section("Means", report::tiles(out));
}

using diagnose::WatchSample;
using Value = std::function<double(const WatchSample&)>;

ChartLine curve(const WatchResult& result, std::string name, const Value& value_of) {
  ChartLine out{.name = std::move(name), .points = {}};
  for (const WatchSample& sample : result.record.all) {
    const double value = value_of(sample);
    if (is_known(value)) out.points.push_back({sample.seconds, value});
  }
  return out;
}

std::string chart(const char* title, ChartScale scale, std::vector<ChartLine> lines) {
  std::erase_if(lines, [](const ChartLine& line) { return line.points.empty(); });
  if (lines.empty()) return {};
  return report::draw_lines({.title = title, .over = "seconds", .scale = scale}, lines);
}

std::string gpu_chart(const WatchResult& result, const char* title, ChartScale scale,
                      double GpuPoint::* field, double unit = 1) {
  std::vector<ChartLine> lines;
  lines.reserve(result.record.machine.gpus.size());
  for (size_t i = 0; i < result.record.machine.gpus.size(); ++i) {
    lines.push_back(curve(result, fmt::format("GPU {}", i),
                          [=](const WatchSample& sample) { return sample.gpus[i].*field / unit; }));
  }
  return chart(title, scale, std::move(lines));
}

std::string host_chart(const WatchResult& result, const char* title, ChartScale scale,
                       const std::vector<std::pair<const char*, double HostPoint::*>>& fields,
                       double unit = 1) {
  // Bursts that are shorter than a second are hard to read.
  const auto points = static_cast<size_t>(std::max(60.0, result.record.seconds));
  std::vector<ChartLine> lines;
  lines.reserve(fields.size());
  for (const auto& [name, field] : fields) {
    lines.push_back(curve(result, name, [value = field, unit](const WatchSample& sample) {
      return sample.host.*value / unit;
    }));
    lines.back().points = report::thin_out(lines.back().points, points);
  }
  return chart(title, scale, std::move(lines));
}

std::string traces(const WatchResult& result) {
  return report::section(
      "Over the seconds",
      report::charts(
          gpu_chart(result, "GPU busy", ChartScale::share, &GpuPoint::utilization) +
          gpu_chart(result, "Multiprocessors at work", ChartScale::share, &GpuPoint::sm_activity) +
          gpu_chart(result, "GPU memory, GiB", ChartScale::from_zero, &GpuPoint::memory_bytes,
                    kGibibyte) +
          gpu_chart(result, "GPU power, W", ChartScale::from_zero, &GpuPoint::power_w) +
          gpu_chart(result, "GPU clock, MHz", ChartScale::from_zero, &GpuPoint::sm_clock_mhz) +
          host_chart(result, "Cores used by the process", ChartScale::from_zero,
                     {{"all", &HostPoint::cpu}, {"busiest process", &HostPoint::busiest_cpu}}) +
          host_chart(result, "Machine", ChartScale::share,
                     {{"cores in use", &HostPoint::machine_cpu},
                      {"cores waiting for storage", &HostPoint::io_wait},
                      {"disk busy", &HostPoint::disk_busy}}) +
          host_chart(result, "Storage, MiB/s", ChartScale::from_zero,
                     {{"read", &HostPoint::read_bytes_per_s},
                      {"written", &HostPoint::written_bytes_per_s}},
                     kMebibyte) +
          host_chart(result, "Process memory, GiB", ChartScale::from_zero,
                     {{"memory", &HostPoint::resident_bytes}}, kGibibyte)));
}

}  // namespace

std::string report_page(const WatchResult& result) {
  return report::page("seda watch", head(result) + verdict_section(result.verdict) +
                                        figures_section(result) + traces(result));
}

}  // namespace seda::cli
