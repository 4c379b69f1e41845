// SPDX-License-Identifier: Apache-2.0
#include "seda/train/run_outcome.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace seda::train {

void conclude(RunOutcome& outcome, const RunEnd& end) {
  outcome.updates = end.updates;
  outcome.cache_state = end.cache_state;
  outcome.memory_peak_bytes = end.memory_peak_bytes;
  if (outcome.run_updates > 1) {
    outcome.host_syncs_per_step =
        static_cast<double>(end.host_syncs) / static_cast<double>(outcome.run_updates - 1);
  }
  if (std::isfinite(end.best_validation)) outcome.best_validation = end.best_validation;
  // Where none was written there was nothing left to do.
  outcome.checkpoint = end.written.empty() ? end.went_from : end.written;
}

Json faults_json(const RunOutcome& outcome) {
  Json out = Json::array();
  for (const Fault& fault : outcome.faults)
    out.push_back({{"id", fault.id}, {"code", fault.code}, {"evidence", fault.evidence}});
  return out;
}

}  // namespace seda::train
