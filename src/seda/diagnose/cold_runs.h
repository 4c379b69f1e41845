// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "seda/diagnose/cause.h"
#include "seda/diagnose/situation.h"

namespace seda::diagnose {

/// Whether a cold page cache alone held up a run that is fast enough warm, at `warm_rate` clips/s:
/// nothing unless both a run with the pages as they were found and one with them dropped say so,
/// and read from storage.
std::optional<Verdict> judge_cold_runs(const Situation& found, const Situation& dropped,
                                       double warm_rate);

/// `run`, which was measured with another step than it is judged by (`run.step_s`), with the stall
/// that its rate would mean there.
Situation at_pace_of(Situation run, double measured_step_s);

}  // namespace seda::diagnose
