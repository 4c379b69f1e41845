// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/cache_work.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "seda/base/log.h"

namespace seda::cli {

void report_recovery(const cache::Recovery& recovery) {
  for (const std::string& file : recovery.removed)
    log::info("removed {}, left by a writer that was stopped", file);
  for (const auto& part : recovery.dropped) {
    log::warning("dropped {} with {} records: {}; they will be prepared again", part.file,
                 part.records, part.reason);
  }
}

Json faults_json(const std::vector<Fault>& faults) {
  Json list = Json::array();
  for (const Fault& fault : faults)
    list.push_back({{"id", fault.id}, {"code", fault.code}, {"evidence", fault.evidence}});
  return list;
}

RecordProgress::RecordProgress(std::string label, uint64_t total, bool quiet)
    : progress({.label = std::move(label),
                .unit = "records",
                .total = total,
                .style = progress_style(quiet),
                .width = terminal_width()},
               clock, sink) {}

}  // namespace seda::cli
