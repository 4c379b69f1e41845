// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "seda/diagnose/check_context.h"
#include "seda/diagnose/checks.h"
#include "seda/diagnose/loader_path.h"
#include "seda/diagnose/step_profile.h"

namespace seda::diagnose {

struct LiveOptions {
  double seconds = 3;    ///< At most, after a warm-up of as many.
  ProbeStep probe_step;  ///< Measures how long a training step takes; absent:
  std::string no_step;   ///< why there is none.
};

/// What a few seconds of real feeding showed.
struct LiveRun {
  LoaderPath path;
  size_t batches = 0;
  double seconds = 0;
  double clips_per_second = 0;
  double step_s = 0;      ///< The consumer worked on each batch for so long; 0: not at all,
  std::string step_note;  ///< and where that is from.
  double stall = 0;       ///< Share of the time in which it waited.
  std::optional<double> gpu_utilization;  ///< Of the model's GPU, mean: in steps where they were
                                          ///< taken, otherwise by loading alone.
};

/// Feeds a consumer from the clips of `context` with the loader that is configured, and says in the
/// log which it is. Throws what the loader throws; Ctrl-C is an Error(interrupted).
LiveRun run_live(const CheckContext& context, const LiveOptions& options);

/// Whether the path that ran is the one that was asked for, and whether the consumer starved: not
/// measured without a step's time.
Check check_live(const CheckContext& context, const LiveRun& run);

Json to_json(const LiveRun& run);

}  // namespace seda::diagnose
