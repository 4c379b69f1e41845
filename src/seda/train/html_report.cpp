// SPDX-License-Identifier: Apache-2.0
#include "seda/train/html_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/build_info.h"
#include "seda/base/file.h"
#include "seda/base/html.h"
#include "seda/base/log.h"
#include "seda/base/units.h"
#include "seda/diagnose/bands.h"
#include "seda/report/line_chart.h"
#include "seda/report/page.h"
#include "seda/train/checkpoint.h"
#include "seda/train/checkpoint_writer.h"
#include "seda/train/report_samples.h"
#include "seda/train/run_history.h"

namespace seda::train {
namespace {

namespace fs = std::filesystem;
using report::ChartLine;
using report::ChartScale;
using report::Row;
using report::section;
using report::table;
using report::tile;

constexpr size_t kMostFaults = 50;
constexpr size_t kMostEmbeddedBytes = 2'000'000;

/// With its band in words: colour alone does not reach everyone.
std::string banded_tile(const std::string& name, const std::optional<double>& share,
                        const diagnose::Bounds& bounds) {
  if (!share) return tile(name, "–", "not measured");
  const auto band = to_string(diagnose::band(*share, bounds));
  return tile(name, format_percent(*share, 1), report::in_band(band, band));
}

std::string speed_tiles(const TrainReport& report) {
  const RunFigures& figures = report.figures;
  std::string out =
      tile("steps/s", fmt::format("{:.2f}", figures.batches_per_second / report.accumulation),
           fmt::format("{:.0f} clips/s, {:.0f} frames/s", figures.clips_per_second,
                       figures.frames_per_second));
  out += banded_tile("data stall", figures.stall, diagnose::kStallBounds);
  out += banded_tile("variation of step times", report.times.variation, diagnose::kVariationBounds);
  out += banded_tile("padded frames", figures.padding, diagnose::kPaddingBounds);
  if (report.ceiling) {
    out += tile(
        "of the ceiling", format_percent(report.share_of_ceiling.value_or(0), 1),
        fmt::format("{:.2f} steps/s with resident batches", *report.ceiling / report.accumulation));
  }
  return out;
}

std::string tiles(const TrainReport& report) {
  std::string out;
  if (report.first && report.last) {
    out += tile("loss", fmt::format("{:.4f}", report.last->total),
                fmt::format("{:.4f} at the run's first step", report.first->total));
  }
  if (report.validation) {
    out += tile("validation loss", fmt::format("{:.4f}", *report.validation),
                report.best_validation ? fmt::format("best {:.4f}", *report.best_validation) : "");
  }
  if (report.figures.batches > 0) out += speed_tiles(report);
  return report::tiles(out);
}

std::string head(const TrainReport& report, const std::string& name) {
  const std::string out = fmt::format(
      "<h1>{}</h1>\n<p>{} steps, {} of them in this run; {} epochs; {}{}</p>\n", escape_html(name),
      report.updates, report.run_updates, report.epochs, format_seconds(report.wall_seconds),
      report.stopped_by.empty() ? "" : "; stopped by " + escape_html(report.stopped_by));
  return out + fmt::format("<p class=\"soft\">{}; {} weights; seda {} ({})</p>\n",
                           escape_html(report.path), report.model.parameters, build_info().version,
                           build_info().commit);
}

std::string loss_chart(const char* title, const Curve& training, const Curve& validation) {
  std::vector<ChartLine> lines = {{"training", training, false}};
  if (!validation.empty()) lines.push_back({"validation", validation, true});
  return report::draw_lines({.title = title}, lines);
}

std::string curves(const RunHistory& history) {
  const LossCurves& training = history.training;
  const LossCurves& validation = history.validation;
  const auto one = [](const char* title, const Curve& curve, ChartScale scale) {
    return report::draw_lines({.title = title, .scale = scale},
                              std::vector<ChartLine>{{title, curve, false}});
  };
  return section(
      "Over the steps",
      report::charts(loss_chart("Loss", training.total, validation.total) +
                     loss_chart("Prior loss", training.prior, validation.prior) +
                     loss_chart("Duration loss", training.duration, validation.duration) +
                     loss_chart("Flow loss", training.flow, validation.flow) +
                     one("Learning rate", history.lr, ChartScale::from_zero) +
                     one("Steps per second", history.steps_per_second, ChartScale::from_zero) +
                     one("Data stall", history.stall, ChartScale::share)));
}

std::string step_times(const TrainReport& report) {
  const diagnose::BatchTimes& times = report.times;
  if (times.batches == 0) return {};
  return section(
      "Time of a batch",
      table({"batches", "mean", "shortest", "median", "95 %", "99 %", "longest", "variation",
             "without outliers", "oscillation"},
            {{std::to_string(times.batches), format_seconds(times.mean), format_seconds(times.min),
              format_seconds(times.median), format_seconds(times.p95), format_seconds(times.p99),
              format_seconds(times.max), format_percent(times.variation, 1),
              format_percent(times.robust_variation, 1),
              times.oscillation.found ? "every " + format_seconds(times.period_s) : "none"}}));
}

std::string time_spent(const TrainReport& report) {
  auto spent = report.spent;
  double rest = report.wall_seconds;
  for (const TrainReport::Spent& part : spent)
    rest -= part.seconds;
  if (rest > 0) spent.push_back({"other", rest});
  const double all = std::max(report.wall_seconds, report.wall_seconds - rest);
  if (all <= 0) return {};
  std::vector<report::Part> parts;
  parts.reserve(spent.size());
  for (const TrainReport::Spent& part : spent)
    parts.push_back({part.what, format_seconds(part.seconds), part.seconds / all});
  return section("Where time went",
                 report::bars(parts,
                              "other: steps that were not timed (the first of each shape, and "
                              "those beside a pause), measuring the ceiling, writing reports"));
}

std::string share_cell(const Json& share) {
  return share.is_number() ? format_percent(share.get<double>(), 1) : "not measured";
}

std::string gpus(const TrainReport& report) {
  const Json described = to_json(report).at("gpus");
  if (described.empty()) return {};
  std::vector<Row> rows;
  for (const Json& gpu : described) {
    const Json& memory = gpu.at("memory_peak_bytes");
    const Json& power = gpu.at("power_w");
    rows.push_back(
        {gpu.at("device").get<std::string>(), gpu.at("role").get<std::string>(),
         share_cell(gpu.at("busy")), share_cell(gpu.at("utilization_mean")),
         share_cell(gpu.at("utilization_worst")), share_cell(gpu.at("sm_activity_mean")),
         memory.is_number() ? format_bytes(memory.get<uint64_t>()) : "not measured",
         power.is_number() ? fmt::format("{:.0f} W", power.get<double>()) : "not measured"});
  }
  return section("GPUs", table({"GPU", "role", "busy", "utilisation", "worst 10 s", "SM activity",
                                "memory at most", "power"},
                               rows));
}

uint64_t bytes_in(const fs::path& folder) {
  uint64_t bytes = 0;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const auto size = entry.file_size(none);
    if (!none) bytes += size;
  }
  return bytes;
}

std::string checkpoints(const fs::path& run_folder) {
  std::vector<Row> rows;
  const fs::path best = best_checkpoint(run_folder).filename();
  for (const fs::path& folder : list_checkpoints(run_folder)) {
    const std::string name = folder.filename().string();
    rows.push_back({escape_html(name), format_bytes(bytes_in(folder)),
                    folder.filename() == best ? report::in_band("good", "best") : ""});
  }
  if (rows.empty()) return {};
  return section("Checkpoints", table({"checkpoint", "size", ""}, rows));
}

std::string faults(const std::vector<Fault>& all) {
  if (all.empty()) return {};
  std::vector<Row> rows;
  for (size_t i = 0; i < std::min(all.size(), kMostFaults); ++i) {
    rows.push_back(
        {escape_html(all[i].id), escape_html(all[i].code), escape_html(all[i].evidence)});
  }
  std::string out = section(fmt::format("{} faulty clips", all.size()),
                            table({"clip", "fault", "evidence"}, rows));
  if (all.size() > kMostFaults) {
    out += fmt::format("<p class=\"soft\">and {} more</p>\n", all.size() - kMostFaults);
  }
  return out;
}

/// The folder's name, also where it is written with a slash behind it.
std::string name_of(const fs::path& run_folder) {
  const fs::path whole = fs::absolute(run_folder).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

}  // namespace

std::string html_report(const TrainReport& report, const fs::path& run_folder) {
  const std::string name = name_of(run_folder);
  return report::page(name + ": seda train",
                      head(report, name) + tiles(report) +
                          curves(read_history(run_folder / "log.jsonl")) + step_times(report) +
                          time_spent(report) + gpus(report) + checkpoints(run_folder) +
                          show_samples(last_samples(run_folder), run_folder, kMostEmbeddedBytes) +
                          faults(report.faults) + section("Plan", report::lines(report.plan)));
}

fs::path write_html_report(const TrainReport& report, const fs::path& run_folder) {
  fs::path path = run_folder / "report.html";
  try {
    write_file(path, html_report(report, run_folder));
    return path;
  } catch (const std::exception& problem) {
    log::warning("the report was not written: {}", problem.what());
    return {};
  }
}

}  // namespace seda::train
