// SPDX-License-Identifier: Apache-2.0
#include "seda/base/json_or_null.h"
#include "seda/base/units.h"
#include "seda/diagnose/rules.h"
#include "seda/diagnose/sections.h"

namespace seda::diagnose {
namespace {

Json ms(const std::optional<double>& seconds) {
  return seconds ? Json(1e3 * *seconds) : Json();
}

}  // namespace

Section step_section(const std::optional<StepProfile>& step, const std::string& why) {
  constexpr const char* kName = "graph mode and fused kernels";
  if (!step) return not_measured(kName, why);
  const auto is_faster = [&](const std::optional<double>& way) {
    return way && *way * rules::kWorthwhile < step->ceiling_s;
  };
  const bool slower = is_faster(step->as_graph_s) || is_faster(step->with_fused_s);
  const double idle = step->gpu_idle_share.value_or(0);
  const Band band = slower || idle > 0.2 ? Band::poor : idle > 0.05 ? Band::fair : Band::good;
  Section out{kName, std::string(to_string(band))};
  out.evidence["path"] = step->path;
  out.evidence["model_device"] = device::to_string(step->model);
  if (step->batch_frames > 0) {
    out.evidence["batch_frames"] = step->batch_frames;
  } else {
    out.evidence["batch_size"] = step->batch_size;
  }
  out.evidence["clips_per_batch"] = step->clips;
  out.evidence["steps"] = step->steps;
  out.evidence["step_ms"] = 1e3 * step->ceiling_s;
  out.evidence["graph_ms"] = ms(step->graph_s);
  out.evidence["fused_ms"] = ms(step->fused_s);
  out.evidence["plain_ms"] = ms(step->plain_s);
  out.evidence["host_enqueues_ms"] = 1e3 * step->host_s;
  out.evidence["host_syncs_per_step"] = step->host_syncs;
  out.evidence["without_host_syncs_ms"] = ms(step->unwatched_s);
  out.evidence["gpu_idle_share"] = or_null(step->gpu_idle_share);
  if (step->gpu_idle_share) out.evidence["gpu_idle_source"] = step->idle_source;
  return out;
}

}  // namespace seda::diagnose
