// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "seda/diagnose/cause.h"
#include "seda/diagnose/figures.h"
#include "seda/diagnose/situation.h"

namespace seda::diagnose::rules {

// Each says whether its cause holds a loader, or the step it feeds, back: a verdict with its
// evidence and remedies, or nothing. Functions of their arguments alone. Where what a remedy brings
// was measured and is nothing, its cause is not the one.

using Rule = std::optional<Verdict>(const Situation&, const Figures&);

// rules_path.cpp: where clips come from, and how a run begins.
Rule slow_text;
Rule reference_path;
Rule cache_off;
Rule cold_cache;
Rule cache_rebuilt;

// rules_workers.cpp: who makes batches.
Rule slow_clip;
Rule slow_decode;
Rule slow_storage;
Rule too_few_workers;
Rule ring_too_small;
Rule all_cores_busy;

// rules_machine.cpp: what the machine does.
Rule no_gpu;
Rule cpu_contention;
Rule memory_pressure;
Rule gpu_throttled;

// rules_step.cpp: batches on their way, and the step itself.
Rule unpinned_copies;
Rule slow_transfer;
Rule host_sync;
Rule launch_bound;
Rule batch_too_small;
Rule padding_waste;

constexpr double kBusy = 0.85;        ///< Of the workers' time: none to spare.
constexpr double kMost = 0.5;         ///< One stage has most of the work.
constexpr double kMeasurable = 1.05;  ///< Times the rate: a remedy that helps.
constexpr double kWorthwhile = 1.25;  ///< Times the rate: one that is worth a change.

/// Whether a rate was measured and is not better than now.
bool brings_nothing(const std::optional<double>& rate, const Figures& figures);

/// Settings that are off and make the step `times` as fast and more, each by itself, as measured.
std::vector<Remedy> ways_of_a_step(const StepProfile& step, double times);

/// Whether workers spend most of their work in `stage`, and too long for the consumer: it starves
/// while they have no time to spare or, where it does no work, 16 clips take `good_s` there.
bool is_slow(const char* stage, double good_s, const Figures& figures);

}  // namespace seda::diagnose::rules
