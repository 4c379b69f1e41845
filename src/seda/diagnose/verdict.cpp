// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/verdict.h"

#include <fmt/format.h>

#include "seda/base/units.h"
#include "seda/diagnose/evidence.h"
#include "seda/diagnose/figures.h"
#include "seda/diagnose/rules.h"

namespace seda::diagnose {
namespace {

/// No alarm: whoever takes the batches, or the GPU itself, is the limit.
std::optional<Verdict> healthy(const Situation& situation, const Figures& figures) {
  if (figures.starved()) return std::nullopt;
  Verdict out{Cause::healthy, {waiting(situation, figures)}, {}};
  if (situation.step && situation.step->gpu_idle_share) {
    out.evidence.push_back(fmt::format("the step is the limit: the GPU works {} of its time",
                                       format_percent(1 - *situation.step->gpu_idle_share)));
  }
  if (situation.step) out.remedies = rules::ways_of_a_step(*situation.step, rules::kWorthwhile);
  return out;
}

/// What is wrong whatever else is comes first, then what starves the consumer, what explains the
/// most with one measurement before the rest; then the step itself, and last what costs only at
/// the start.
constexpr rules::Rule* kRules[] = {rules::no_gpu,          rules::slow_text,
                                   rules::reference_path,  rules::cache_off,
                                   rules::unpinned_copies, rules::slow_clip,
                                   rules::slow_decode,     rules::memory_pressure,
                                   rules::cpu_contention,  rules::cold_cache,
                                   rules::slow_storage,    rules::slow_transfer,
                                   rules::too_few_workers, rules::ring_too_small,
                                   rules::all_cores_busy,  rules::gpu_throttled,
                                   rules::host_sync,       rules::launch_bound,
                                   rules::batch_too_small, rules::padding_waste,
                                   rules::cache_rebuilt,   healthy};

}  // namespace

Verdict judge(const Situation& situation) {
  const Figures figures(situation);
  if (situation.loader.batches == 0) return {Cause::unknown, {"no batch was measured"}, {}};
  for (const auto rule : kRules) {
    if (auto verdict = rule(situation, figures)) return *std::move(verdict);
  }
  return {Cause::unknown,
          {waiting(situation, figures),
           fmt::format("workers are busy {} of the time and wait for room {}",
                       format_percent(figures.busy_share()),
                       format_percent(figures.blocked_out_share()))},
          {}};
}

}  // namespace seda::diagnose
