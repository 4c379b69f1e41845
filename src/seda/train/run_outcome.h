// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

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
  uint64_t first_host_syncs = 0;   ///< So many until then.
  double host_syncs_per_step = 0;  ///< Of the steps after it.
  uint64_t memory_peak_bytes = 0;
  std::string cache_state;
  std::string stopped_by;                 ///< "", "SIGTERM", "Ctrl-C".
  std::optional<double> validation;       ///< The last: a loss, or a distance of mels.
  std::optional<double> best_validation;  ///< Of all runs.
  std::vector<Fault> faults;
  std::filesystem::path checkpoint;  ///< The last; empty where none was written.
  std::vector<std::string> plan;     ///< As it was printed.
};

/// After the last step, of either trainer's setup and engine: fills in what they know of the run.
/// `written` is the run's last checkpoint, empty where there is none.
template <typename Setup, typename AnyEngine>
void conclude(RunOutcome& outcome, const Setup& setup, const AnyEngine& engine, uint64_t updates,
              const std::filesystem::path& written) {
  outcome.updates = updates;
  outcome.cache_state = setup.clips.cache_state;
  outcome.memory_peak_bytes = engine.memory_peak_bytes();
  if (outcome.run_updates > 1) {
    outcome.host_syncs_per_step =
        static_cast<double>(engine.host_syncs() - outcome.first_host_syncs) /
        static_cast<double>(outcome.run_updates - 1);
  }
  if (std::isfinite(setup.progress.best_validation)) {
    outcome.best_validation = setup.progress.best_validation;
  }
  outcome.checkpoint = written;
  if (written.empty() && setup.resumed) {
    outcome.checkpoint = setup.resumed->folder();  // there was nothing left to do
  }
}

/// The clips that were set aside, as reports list them.
Json faults_json(const RunOutcome& outcome);

}  // namespace seda::train
