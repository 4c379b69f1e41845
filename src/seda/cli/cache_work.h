// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "seda/base/clock.h"
#include "seda/base/json.h"
#include "seda/base/progress.h"
#include "seda/base/result.h"
#include "seda/cache/writer.h"

namespace seda::cli {

/// Says what a writer removed or dropped when it opened a cache.
void report_recovery(const cache::Recovery& recovery);

/// A list of {id, code, evidence}.
Json faults_json(const std::vector<Fault>& faults);

/// Progress over the records of a cache, for its life.
struct RecordProgress {
  RecordProgress(std::string label, uint64_t total, bool quiet);

  SteadyClock clock;
  LogProgressSink sink;
  Progress progress;
};

}  // namespace seda::cli
