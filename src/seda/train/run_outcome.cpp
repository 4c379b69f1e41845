// SPDX-License-Identifier: Apache-2.0
#include "seda/train/run_outcome.h"

#include <nlohmann/json.hpp>

namespace seda::train {

Json faults_json(const RunOutcome& outcome) {
  Json out = Json::array();
  for (const Fault& fault : outcome.faults)
    out.push_back({{"id", fault.id}, {"code", fault.code}, {"evidence", fault.evidence}});
  return out;
}

}  // namespace seda::train
