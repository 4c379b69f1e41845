// SPDX-License-Identifier: Apache-2.0
#include "seda/base/json_or_null.h"
#include "seda/diagnose/sections.h"

namespace seda::diagnose {
namespace {

/// Without a step to wait for, the time of a batch is what can be rated.
Band band_of(const RunFacts& facts) {
  const double clips = facts.run->clips_per_batch();
  const double seconds = clips > 0 ? facts.times.mean * kBandClips / clips : facts.times.mean;
  if (facts.step_s > 0) return band(facts.run->stall(), kStallBounds);
  return band(seconds, kBatchSecondsBounds);
}

double padding_of(const feed::LoaderStatistics& loader) {
  if (loader.frames == 0) return 0;
  return 1 - static_cast<double>(loader.real_frames) / static_cast<double>(loader.frames);
}

}  // namespace

Section run_section(const RunFacts& facts) {
  const Consumption& run = *facts.run;
  Section out{"pipeline", std::string(to_string(band_of(facts)))};
  if (facts.step_s > 0) {
    out.evidence["step_ms"] = 1e3 * facts.step_s;
    out.evidence["step_time"] = facts.step_source;
    out.evidence["data_stall"] = run.stall();
    const double clips = run.clips_per_batch();
    out.evidence["share_of_ceiling"] =
        clips > 0 ? run.clips_per_second() * facts.step_s / clips : 0.0;
  } else {
    out.evidence["paced"] = "no: no step was measured and no --step-ms was given";
  }
  out.evidence["batches"] = run.loader.batches;
  out.evidence["clips_per_s"] = run.clips_per_second();
  out.evidence["batch_ms"] = {{"mean", 1e3 * facts.times.mean},
                              {"median", 1e3 * facts.times.median},
                              {"p95", 1e3 * facts.times.p95},
                              {"p99", 1e3 * facts.times.p99}};
  const auto& variation = facts.times.variation;
  out.evidence["variation"] = or_null(variation);
  if (variation && facts.step_s > 0)
    out.evidence["variation_band"] = to_string(band(*variation, kVariationBounds));
  out.evidence["oscillation"] =
      facts.times.oscillation.found ? Json{{"every_s", facts.times.period_s}} : Json(false);
  out.evidence["padding"] = padding_of(run.loader);
  out.evidence["process_cores"] = run.machine.process_cores;
  out.evidence["other_cores"] = run.machine.other_cores;
  out.evidence["idle_cores"] = run.machine.idle_cores;
  return out;
}

}  // namespace seda::diagnose
