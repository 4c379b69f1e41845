// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "seda/base/json.h"
#include "seda/base/result.h"

namespace seda::train {

/// What a run leaves, whether it trained a voice or a vocoder.
struct RunOutcome {
  uint64_t updates = 0;      ///< Of all runs that went on from each other.
  uint64_t run_updates = 0;  ///< Of this one.
  double wall_seconds = 0;
  double init_seconds = 0;         ///< Until the first step was begun.
  double first_step_seconds = 0;   ///< From the start until the first step was done.
  double host_syncs_per_step = 0;  ///< Of the steps after it.
  uint64_t memory_peak_bytes = 0;
  std::string cache_state;
  std::string stopped_by;                 ///< "", "SIGTERM", "Ctrl-C".
  std::optional<double> validation;       ///< The last: a loss, or a distance of mels.
  std::optional<double> best_validation;  ///< Of all runs.
  std::vector<Fault> faults;
  std::filesystem::path checkpoint;  ///< The last; empty where none was written.
  std::vector<std::string> plan;     ///< As it was printed,
  Json plan_json;                    ///< and for scripts.
};

/// What a trainer knows of its run after the last step.
struct RunEnd {
  uint64_t updates = 0;
  uint64_t host_syncs = 0;  ///< After the first step of this run.
  uint64_t memory_peak_bytes = 0;
  std::string cache_state;
  double best_validation = 0;       ///< Infinity where there was none.
  std::filesystem::path written;    ///< The run's last checkpoint; empty where there is none.
  std::filesystem::path went_from;  ///< The checkpoint that it went on from; likewise.
};

void conclude(RunOutcome& outcome, const RunEnd& end);

/// The clips that were set aside, as reports list them.
Json faults_json(const RunOutcome& outcome);

}  // namespace seda::train
