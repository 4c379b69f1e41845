// SPDX-License-Identifier: Apache-2.0
#include "seda/train/train_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/json_or_null.h"
#include "seda/base/units.h"
#include "seda/diagnose/bands.h"

namespace seda::train {
namespace {

using diagnose::band;

/// A value that comes of timed steps, where there were some.
Json if_timed(const TrainReport& report, double value) {
  return report.figures.batches > 0 ? Json(value) : Json();
}

Json gpu_json(const GpuFigures& use, const TrainReport& report) {
  const bool data = use.device == report.roles.data;
  const bool model = use.device == report.roles.model;
  return {{"role", data && model ? "data and model" : (model ? "model" : "data")},
          {"device", to_string(use.device)},
          {"busy", model ? if_timed(report, 1 - report.figures.stall) : Json()},
          {"utilization_mean", or_null(use.utilization_mean)},
          {"utilization_worst", or_null(use.utilization_worst)},
          {"sm_activity_mean", or_null(use.sm_activity_mean)},
          {"memory_peak_bytes", model ? Json(report.memory_peak_bytes) : Json()},
          {"power_w", or_null(use.power_w)}};
}

Json gpus_json(const TrainReport& report) {
  Json out = Json::array();
  for (const GpuFigures& use : report.gpus)
    out.push_back(gpu_json(use, report));
  return out;
}

Json spent_json(const TrainReport& report) {
  Json out = Json::object();
  for (const TrainReport::Spent& spent : report.spent)
    out[spent.what] = spent.seconds;
  return out;
}

Json loss_json(const TrainReport& report) {
  const auto total = [](const std::optional<StepLosses>& losses) {
    return losses ? Json(losses->total) : Json();
  };
  return {{"first", total(report.first)},
          {"last", total(report.last)},
          {"validation", or_null(report.validation)},
          {"best_validation", or_null(report.best_validation)}};
}

std::string rhythm_text(const diagnose::BatchTimes& times) {
  if (!times.variation) return {};
  return times.oscillation.found ? fmt::format(", oscillating every {:.1f} s", times.period_s)
                                 : ", no oscillation";
}

void add_speed(const TrainReport& report, std::string& out) {
  const RunFigures& figures = report.figures;
  out += fmt::format("speed      {:.2f} steps/s, {:.0f} clips/s, {:.0f} frames/s\n",
                     figures.batches_per_second / report.accumulation, figures.clips_per_second,
                     figures.frames_per_second);
  out += fmt::format("data stall {} ({}): the model had its data {} of the time (AU)\n",
                     format_percent(figures.stall, 1),
                     to_string(band(figures.stall, diagnose::kStallBounds)),
                     format_percent(1 - figures.stall, 1));
  out += fmt::format("variation  {}{}\n", diagnose::variation_text(report.times.variation),
                     rhythm_text(report.times));
  out += fmt::format("padding    {} of frames\n", format_percent(figures.padding, 1));
  if (figures.flop_share) {
    out += fmt::format("products   {} of what the GPU could multiply (MFU)\n",
                       format_percent(*figures.flop_share, 1));
  }
  if (report.ceiling) {
    out += fmt::format("ceiling    {:.2f} steps/s with resident batches: the run had {} of it\n",
                       *report.ceiling / report.accumulation,
                       format_percent(report.share_of_ceiling.value_or(0), 1));
  }
}

void add_gpus(const TrainReport& report, std::string& out) {
  for (const GpuFigures& use : report.gpus) {
    if (!use.utilization_mean) continue;
    out += fmt::format("{}     utilisation {} on average, {} in the worst 10 s\n",
                       to_string(use.device), format_percent(*use.utilization_mean, 1),
                       format_percent(use.utilization_worst.value_or(0), 1));
  }
  if (report.roles.data == report.roles.model && report.roles.model.is_cuda()) {
    out += "roles      data and model share the one GPU\n";
  }
  if (report.memory_peak_bytes > 0) {
    out += fmt::format("memory     {} of the model's device at most, {:.2f} host syncs a step\n",
                       format_bytes(report.memory_peak_bytes), report.host_syncs_per_step);
  }
}

void add_time(const TrainReport& report, std::string& out) {
  out += "time      ";
  for (const TrainReport::Spent& spent : report.spent)
    out += fmt::format(" {} {},", spent.what, format_seconds(spent.seconds));
  out += fmt::format(" {} in all\n", format_seconds(report.wall_seconds));
}

std::string next_step(const TrainReport& report) {
  if (report.figures.batches == 0) return {};
  if (report.figures.stall > diagnose::kStallBounds.fair) {
    return "next       the model waits for data: seda profile data names the cause\n";
  }
  if (report.checkpoint.empty()) return {};
  return fmt::format("next       seda synth --checkpoint {} --text \"…\" --output speech.wav\n",
                     report.checkpoint.string());
}

}  // namespace

Json to_json(const RunFigures& figures) {
  const auto measured = [&](double value) { return figures.batches > 0 ? Json(value) : Json(); };
  return {{"clips_per_second", measured(figures.clips_per_second)},
          {"frames_per_second", measured(figures.frames_per_second)},
          {"data_stall", measured(figures.stall)},
          {"au", measured(1 - figures.stall)},
          {"padding", measured(figures.padding)},
          {"model_flop_utilisation", or_null(figures.flop_share)}};
}

Json to_json(const StepLosses& losses) {
  return {{"total", losses.total},
          {"prior", losses.prior},
          {"duration", losses.duration},
          {"flow", losses.flow},
          {"gradient_norm", losses.gradient_norm}};
}

Json to_json(const TrainReport& report) {
  Json out = {
      {"steps", report.updates},
      {"run_steps", report.run_updates},
      {"epochs", report.epochs},
      {"wall_seconds", report.wall_seconds},
      {"init_seconds", report.init_seconds},
      {"cache_state", report.cache_state},
      {"first_step_seconds", report.first_step_seconds},
      {"steps_per_second",
       if_timed(report, report.figures.batches_per_second / report.accumulation)},
  };
  out.update(to_json(report.figures));
  const auto& times = report.times;
  out.update({{"variation", or_null(times.variation)},
              {"robust_variation", or_null(times.robust_variation)},
              {"oscillation",
               {{"found", times.oscillation.found},
                {"period_s", times.oscillation.found ? Json(times.period_s) : Json()}}},
              {"step_ms",
               {{"median", if_timed(report, 1e3 * times.median)},
                {"p95", if_timed(report, 1e3 * times.p95)}}},
              {"ceiling_steps_per_second",
               report.ceiling ? Json(*report.ceiling / report.accumulation) : Json()},
              {"share_of_ceiling", or_null(report.share_of_ceiling)},
              {"host_syncs_per_step", report.host_syncs_per_step},
              {"gpus", gpus_json(report)},
              {"loss", loss_json(report)},
              {"faults", faults_json(report)},
              {"checkpoint", report.checkpoint.string()},
              {"report", report.page.string()},
              {"devices",
               {{"data", to_string(report.roles.data)}, {"model", to_string(report.roles.model)}}},
              {"path", report.path},
              {"parameters", report.model.parameters},
              {"stopped_by", report.stopped_by},
              {"time", spent_json(report)},
              {"plan", report.plan_json}});
  return out;
}

std::string report_text(const TrainReport& report) {
  std::string out =
      fmt::format("steps      {} ({} in this run), {}{}\n", report.updates, report.run_updates,
                  format_count(report.epochs, "epoch"),
                  report.stopped_by.empty() ? "" : ", stopped by " + report.stopped_by);
  if (report.first && report.last) {
    out += fmt::format("loss       {:.4f} at first, {:.4f} at last", report.first->total,
                       report.last->total);
    out += report.validation ? fmt::format(", {:.4f} in validation\n", *report.validation) : "\n";
  }
  if (report.figures.batches > 0) add_speed(report, out);
  add_gpus(report, out);
  add_time(report, out);
  if (!report.faults.empty())
    out += fmt::format("faults     {}\n", format_count(report.faults.size(), "clip"));
  if (!report.checkpoint.empty()) {
    out += fmt::format("checkpoint {}\n", report.checkpoint.string());
  }
  if (!report.page.empty()) out += fmt::format("report     {}\n", report.page.string());
  return out + next_step(report);
}

}  // namespace seda::train
