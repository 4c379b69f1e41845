// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/step_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/html.h"
#include "seda/base/json_or_null.h"
#include "seda/base/units.h"
#include "seda/cli/page_parts.h"
#include "seda/cli/verdict_text.h"
#include "seda/diagnose/bands.h"
#include "seda/report/page.h"

namespace seda::cli {
namespace {

using diagnose::StepPhase;
using diagnose::StepProfile;

constexpr size_t kShownKernels = 12;  // in the text; all are in the JSON

double kernel_seconds(const StepProfile& profile) {
  double sum = 0;
  for (const diagnose::StepKernel& kernel : profile.kernels)
    sum += kernel.seconds;
  return sum;
}

double kernel_count(const StepProfile& profile) {
  double sum = 0;
  for (const diagnose::StepKernel& kernel : profile.kernels)
    sum += kernel.count;
  return sum;
}

Json kernels_json(const StepProfile& profile) {
  Json out = Json::array();
  for (const diagnose::StepKernel& kernel : profile.kernels)
    out.push_back({{"name", kernel.name}, {"count", kernel.count}, {"ms", 1e3 * kernel.seconds}});
  return out;
}

/// The longest, with what they take of all kernels' time.
std::string kernel_lines(const StepProfile& profile) {
  if (profile.kernels.empty()) return {};
  const double all_s = kernel_seconds(profile);
  std::string out = fmt::format("kernels      {:.0f} a step, {} of them all\n",
                                kernel_count(profile), format_seconds(all_s));
  for (size_t i = 0; i < std::min(kShownKernels, profile.kernels.size()); ++i) {
    const diagnose::StepKernel& kernel = profile.kernels[i];
    out += fmt::format("  {:>6} {:>6.1f} x  {}\n", format_percent(kernel.seconds / all_s, 1),
                       kernel.count, kernel.name);
  }
  return out;
}

std::string kernel_table(const StepProfile& profile) {
  std::vector<report::Row> rows;
  rows.reserve(profile.kernels.size());
  const double all_s = kernel_seconds(profile);
  for (const diagnose::StepKernel& kernel : profile.kernels) {
    rows.push_back({escape_html(kernel.name), fmt::format("{:.1f}", kernel.count),
                    escape_html(format_seconds(kernel.seconds)),
                    format_percent(kernel.seconds / all_s, 1)});
  }
  if (rows.empty()) return {};
  return report::table({"kernel", "a step", "time", "share"}, rows);
}

/// What the model's products need of a step, and of the GPU.
std::string products_line(const StepProfile& profile) {
  if (!profile.flops) return {};
  std::string out = fmt::format("products     {:.3g} TFLOP a step", 1e-12 * *profile.flops);
  if (profile.flop_share) {
    out += fmt::format(", {} of what the GPU could multiply (MFU)",
                       format_percent(*profile.flop_share, 1));
  }
  return out + "\n";
}

Json ms(const std::optional<double>& seconds) {
  return seconds ? Json(1e3 * *seconds) : Json();
}

Json phases_json(const StepProfile& profile) {
  Json out = Json::object();
  for (const StepPhase& phase : profile.phases) {
    out[phase.name] = {{"mean_ms", 1e3 * phase.mean_s},
                       {"std_ms", 1e3 * phase.std_s},
                       {"host_ms", 1e3 * phase.host_s},
                       {"share", phase.share}};
  }
  return out;
}

std::string or_not(const std::optional<double>& seconds) {
  return seconds ? format_seconds(*seconds) : "not measured";
}

double wait_share(const StepProfile& profile) {
  for (const StepPhase& phase : profile.phases) {
    if (phase.name == "data_wait" && profile.total_s > 0) return phase.mean_s / profile.total_s;
  }
  return 0;
}

std::string idle_text(const StepProfile& profile) {
  if (!profile.model.is_cuda()) return "not measured: the model is on the CPU";
  if (!profile.gpu_idle_share)
    return "not measured: no kernels were recorded, and the driver says nothing";
  return fmt::format("{}, by {}", format_percent(*profile.gpu_idle_share, 1), profile.idle_source);
}

std::string idle_tile(const StepProfile& profile) {
  if (!profile.gpu_idle_share)
    return report::tile("GPU idle", "–", escape_html(idle_text(profile)));
  return report::tile("GPU idle", format_percent(*profile.gpu_idle_share, 1),
                      escape_html("by " + profile.idle_source));
}

/// "16 clips", or "at most 8000 frames (12.3 clips)".
std::string batch_text(const StepProfile& profile) {
  if (profile.batch_frames == 0) return fmt::format("{} clips", profile.batch_size);
  return fmt::format("at most {} frames ({:.1f} clips)", profile.batch_frames, profile.clips);
}

std::string larger_text(const StepProfile& profile) {
  return fmt::format("{}{}", profile.larger_batch, profile.batch_frames > 0 ? " frames" : "");
}

/// Nothing where a batch is not measured by it.
Json or_nothing(int size) {
  return size > 0 ? Json(size) : Json();
}

/// Null where twice as large batches were not tried.
Json larger_json(const StepProfile& profile) {
  if (profile.larger_batch == 0) return {};
  const bool measured = profile.larger_batch_s.has_value();
  return {{profile.batch_frames > 0 ? "batch_frames" : "batch_size", profile.larger_batch},
          {"frames_per_batch", measured ? Json(profile.larger_frames) : Json()},
          {"ms", ms(profile.larger_batch_s)}};
}

/// The step run in each way, with what was measured of it.
std::vector<std::pair<std::string, std::string>> ways(const StepProfile& profile) {
  std::vector<std::pair<std::string, std::string>> out = {
      {"as configured, resident batches", format_seconds(profile.ceiling_s)},
      {"as a CUDA graph", or_not(profile.graph_s)},
      {"op by op, fused kernels", or_not(profile.fused_s)},
      {"op by op, plain kernels", or_not(profile.plain_s)},
      {profile.larger_batch > 0 ? "batches of " + larger_text(profile) : "twice the batch",
       or_not(profile.larger_batch_s)}};
  if (profile.unwatched_s)
    out.emplace_back("without the host's waits", format_seconds(*profile.unwatched_s));
  return out;
}

std::string phase_lines(const StepProfile& profile) {
  std::string out;
  for (const StepPhase& phase : profile.phases) {
    out += fmt::format("  {:<10} {:>9} ± {:<9} {:>6}   host {}\n", phase.name,
                       format_seconds(phase.mean_s), format_seconds(phase.std_s),
                       format_percent(phase.share, 1), format_seconds(phase.host_s));
  }
  return out;
}

std::string phase_table(const StepProfile& profile) {
  std::vector<report::Part> parts;
  parts.reserve(profile.phases.size());
  for (const StepPhase& phase : profile.phases) {
    parts.push_back({phase.name, format_seconds(phase.mean_s) + " ± " + format_seconds(phase.std_s),
                     phase.share});
  }
  return report::bars(parts, "of steps run op by op: a graph has no parts");
}

std::string ways_table(const StepProfile& profile) {
  std::vector<report::Row> rows;
  for (const auto& [name, time] : ways(profile))
    rows.push_back({escape_html(name), escape_html(time)});
  return report::table({"way", "time of a step"}, rows);
}

}  // namespace

Json to_json(const train::JudgedStep& step) {
  const StepProfile& profile = step.profile;
  return {{"device", device::to_string(profile.model)},
          {"path", profile.path},
          {"batch_size", or_nothing(profile.batch_size)},
          {"batch_frames", or_nothing(profile.batch_frames)},
          {"clips_per_batch", profile.clips},
          {"frames_per_batch", profile.frames},
          {"steps", profile.steps},
          {"total_ms", {{"mean", 1e3 * profile.total_s}, {"std", 1e3 * profile.std_s}}},
          {"phases", phases_json(profile)},
          {"model_flops", or_null(profile.flops)},
          {"model_flop_utilisation", or_null(profile.flop_share)},
          {"gpu_idle_share", or_null(profile.gpu_idle_share)},
          {"gpu_idle_source", profile.gpu_idle_share ? Json(profile.idle_source) : Json()},
          {"kernels", kernels_json(profile)},
          {"ceiling_ms", 1e3 * profile.ceiling_s},
          {"ceiling_frames_per_batch", profile.ceiling_frames},
          {"graph_ms", ms(profile.graph_s)},
          {"fused_ms", ms(profile.fused_s)},
          {"plain_ms", ms(profile.plain_s)},
          {"host_ms", 1e3 * profile.host_s},
          {"host_syncs_per_step", profile.host_syncs},
          {"without_host_syncs_ms", ms(profile.unwatched_s)},
          {"larger_batch", larger_json(profile)},
          {"verdict", to_json(step.verdict)}};
}

std::string report_text(const train::JudgedStep& step) {
  const StepProfile& profile = step.profile;
  std::string out =
      fmt::format("step         {} ± {} over {} of {} on {}\n", format_seconds(profile.total_s),
                  format_seconds(profile.std_s), format_count(profile.steps, "timed step"),
                  batch_text(profile), device::to_string(profile.model));
  out += fmt::format("path         {}\n", profile.path);
  out += products_line(profile);
  out += "parts        (of steps run op by op: a graph has no parts)\n" + phase_lines(profile);
  const double wait = wait_share(profile);
  out += fmt::format("data wait    {} of the loop  ({})\n", format_percent(wait, 1),
                     to_string(diagnose::band(wait, diagnose::kStallBounds)));
  out += fmt::format("GPU idle     {}\n", idle_text(profile));
  out += fmt::format(
      "host         {} to enqueue a step op by op, {:.2f} waits for the device a step\n",
      format_seconds(profile.host_s), profile.host_syncs);
  out += kernel_lines(profile);
  out += "a step\n";
  for (const auto& [name, time] : ways(profile))
    out += fmt::format("  {:<33} {}\n", name, time);
  return out + verdict_text(step.verdict);
}

std::string report_page(const train::JudgedStep& step) {
  const StepProfile& profile = step.profile;
  const std::string figures =
      report::tile("a step", format_seconds(profile.total_s),
                   escape_html("± " + format_seconds(profile.std_s))) +
      share_tile("data wait", wait_share(profile), diagnose::kStallBounds) + idle_tile(profile) +
      report::tile("host waits", fmt::format("{:.2f}", profile.host_syncs), "a step");
  return report::page(
      "seda profile step",
      "<h1>A training step</h1>\n" +
          fmt::format("<p class=\"soft\">{} on {}, {}</p>\n", escape_html(profile.path),
                      device::to_string(profile.model), batch_text(profile)) +
          verdict_card(step.verdict) + report::tiles(figures) +
          remedies_section(step.verdict.remedies) +
          report::section("Its parts", phase_table(profile)) +
          report::section("Run in other ways", ways_table(profile)) +
          report::section("Its kernels", kernel_table(profile)));
}

}  // namespace seda::cli
