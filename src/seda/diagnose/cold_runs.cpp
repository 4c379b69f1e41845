// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/cold_runs.h"

#include <algorithm>

#include "seda/diagnose/evidence.h"
#include "seda/diagnose/figures.h"
#include "seda/diagnose/verdict.h"

namespace seda::diagnose {
namespace {

std::optional<Verdict> judge_cold(Situation run, double warm_rate) {
  run.warm_rate = warm_rate;
  if (Figures(run).storage_share() < kColdShare) return std::nullopt;
  Verdict verdict = judge(run);
  if (verdict.cause != Cause::cold_cache) return std::nullopt;
  return verdict;
}

}  // namespace

std::optional<Verdict> judge_cold_runs(const Situation& found, const Situation& dropped,
                                       double warm_rate) {
  auto verdict = judge_cold(found, warm_rate);
  return judge_cold(dropped, warm_rate) ? verdict : std::nullopt;
}

Situation at_pace_of(Situation run, double measured_step_s) {
  const double ceiling = ceiling_of(run);
  if (measured_step_s > 0 || !(ceiling > 0)) return run;
  run.stall = std::max(0.0, 1 - Figures(run).clips_per_second() / ceiling);
  return run;
}

}  // namespace seda::diagnose
