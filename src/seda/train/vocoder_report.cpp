// SPDX-License-Identifier: Apache-2.0
#include "seda/train/vocoder_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/json_or_null.h"
#include "seda/base/units.h"

namespace seda::train {
namespace {

Json losses_or_null(const std::optional<VocoderLosses>& losses) {
  return losses ? to_json(*losses) : Json();
}

/// A speed, where steps were timed.
Json if_timed(const VocoderReport& report, double value) {
  return report.timed_updates > 0 ? Json(value) : Json();
}

}  // namespace

Json to_json(const VocoderLosses& losses) {
  return {{"total", losses.total},
          {"mel", losses.mel},
          {"fooling", losses.fooling},
          {"features", losses.features},
          {"judging", losses.judging},
          {"gradient_norm", losses.gradient_norm},
          {"judge_gradient_norm", losses.judge_gradient_norm}};
}

Json to_json(const VocoderReport& report) {
  return {{"stage", "vocoder"},
          {"steps", report.updates},
          {"run_steps", report.run_updates},
          {"wall_seconds", report.wall_seconds},
          {"init_seconds", report.init_seconds},
          {"first_step_seconds", report.first_step_seconds},
          {"steps_per_second", if_timed(report, report.steps_per_second())},
          {"sound_seconds_per_second",
           if_timed(report, report.steps_per_second() * report.sound_per_step_s)},
          {"corpus_seconds", report.corpus_seconds},
          {"sounds", report.sounds},
          {"cache_state", report.cache_state},
          {"loss",
           {{"first", losses_or_null(report.first)},
            {"last", losses_or_null(report.last)},
            {"validation", or_null(report.validation)},
            {"best_validation", or_null(report.best_validation)}}},
          {"faults", faults_json(report)},
          {"checkpoint", report.checkpoint.string()},
          {"device", to_string(report.device)},
          {"graphs", report.graphs},
          {"host_syncs_per_step", report.host_syncs_per_step},
          {"memory_peak_bytes", report.memory_peak_bytes},
          {"parameters", report.generator.parameters},
          {"discriminator_parameters", report.judges.parameters},
          {"stopped_by", report.stopped_by},
          {"plan", report.plan_json}};
}

std::string report_text(const VocoderReport& report) {
  std::string out =
      fmt::format("steps      {} ({} in this run){}\n", report.updates, report.run_updates,
                  report.stopped_by.empty() ? "" : ", stopped by " + report.stopped_by);
  if (report.first && report.last) {
    out += fmt::format("mels       {:.4f} apart at first, {:.4f} at last", report.first->mel,
                       report.last->mel);
    out += report.validation ? fmt::format(", {:.4f} in validation\n", *report.validation) : "\n";
  }
  if (report.timed_updates > 0) {
    out +=
        fmt::format("speed      {:.2f} steps/s, {:.1f} s of sound a second\n",
                    report.steps_per_second(), report.steps_per_second() * report.sound_per_step_s);
  }
  if (report.memory_peak_bytes > 0) {
    out += fmt::format("memory     {} of the device at most, {:.2f} host syncs a step\n",
                       format_bytes(report.memory_peak_bytes), report.host_syncs_per_step);
  }
  out +=
      fmt::format("time       start {}, steps {}, {} in all\n", format_seconds(report.init_seconds),
                  format_seconds(report.step_seconds), format_seconds(report.wall_seconds));
  if (!report.faults.empty())
    out += fmt::format("faults     {}\n", format_count(report.faults.size(), "clip"));
  if (report.checkpoint.empty()) return out;
  out += fmt::format("checkpoint {}\n", report.checkpoint.string());
  return out + fmt::format("next       seda synth --checkpoint VOICE --vocoder {} --text \"…\"\n",
                           report.checkpoint.parent_path().string());
}

}  // namespace seda::train
