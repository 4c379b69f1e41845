// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "seda/base/json_or_null.h"
#include "seda/cli/data_report.h"

namespace seda::cli {
namespace {

using diagnose::BatchTimes;
using diagnose::DataProfile;
using diagnose::ProfileOptions;
using diagnose::Trial;

/// Shares that need a step to be told from.
Json idle_estimate(const DataProfile& profile, const ProfileOptions& options) {
  return options.step_s > 0 ? Json(profile.run.stall()) : Json();
}

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

/// Nothing where batches are measured by frames, which a grid does not vary.
Json size_json(const diagnose::TrialSettings& settings) {
  return settings.batch_frames > 0 ? Json() : Json(settings.batch_size);
}

Json to_json(const Trial& trial) {
  return {{"batch_size", size_json(trial.settings)},
          {"num_workers", trial.settings.workers},
          {"clips_per_second", trial.clips_per_second()},
          {"batch_ms", 1e3 * trial.batch_s()},
          {"variation", or_null(trial.variation())}};
}

Json grid_json(const std::vector<Trial>& grid) {
  Json out = Json::array();
  for (const Trial& trial : grid)
    out.push_back(to_json(trial));
  return out;
}

Json recommended_json(const std::optional<Trial>& trial) {
  if (!trial) return {};
  return {{"batch_size", size_json(trial->settings)},
          {"num_workers", trial->settings.workers},
          {"expected_ms", 1e3 * trial->batch_s()},
          {"expected_variation", or_null(trial->variation())}};
}

Json cold_json(const std::optional<diagnose::ColdRun>& cold) {
  if (!cold) return {};
  return {{"clips_per_second", cold->run.clips_per_second()},
          {"batch_ms", to_json(summarize(cold->run.batches))},
          {"wait_ms", 1e3 * cold->run.mean_wait_s()},
          {"storage_bytes", cold->run.machine.storage_bytes.value_or(0)},
          {"warm_up_bytes", cold->warm_up_bytes},
          {"resident_before", cold->resident}};
}

}  // namespace

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
          {"clips_per_batch", profile.run.clips_per_batch()},
          {"batch_ms", to_json(times)},
          {"wait_ms", 1e3 * profile.run.mean_wait_s()},
          {"gpu_idle_estimate", idle_estimate(profile, options)},
          {"variation", or_null(times.variation)},
          {"robust_variation", or_null(times.robust_variation)},
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

}  // namespace seda::cli
