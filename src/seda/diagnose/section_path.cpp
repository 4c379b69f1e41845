// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "seda/config/describe.h"
#include "seda/diagnose/sections.h"

namespace seda::diagnose {
namespace {

constexpr double kQuickStart = 10;  // seconds to a first batch that nobody minds
constexpr double kSlowStart = 60;

}  // namespace

Section configuration_section(const config::Config& config) {
  Section out{"configuration", std::string(to_string(Band::good))};
  Json changed = Json::object();
  for (const std::string& path : config.given()) {
    const config::Key& key = *config::find_key(path);
    if (config.value(path) == key.default_value) continue;
    changed[path] = {{"value", config::to_json(config.value(path))},
                     {"default", config::default_text(key)},
                     {"source", config.source(path).text()}};
  }
  out.evidence["not_at_default"] = std::move(changed);
  return out;
}

Section path_section(const PathFacts& facts) {
  const feed::LoaderStatistics& loader = facts.loader;
  Section out{"pipeline path",
              std::string(to_string(facts.options.native ? Band::good : Band::poor))};
  out.evidence["path"] = facts.options.native ? "native" : "reference";
  out.evidence["source"] = facts.source;
  out.evidence["data_device"] = device::to_string(facts.options.roles.data);
  out.evidence["model_device"] = device::to_string(facts.options.roles.model);
  out.evidence["workers"] = loader.workers;
  out.evidence["slots"] = loader.slots.total();
  out.evidence["host_slots"] = loader.host.total();
  out.evidence["pinned"] = facts.options.pinned && facts.options.roles.data.is_cuda();
  out.evidence["batches_counted"] = loader.batches;
  out.evidence["clips_counted"] = loader.clips;
  Json stages = Json::object();
  for (const feed::LoaderStage& stage : loader.stages)
    stages[stage.name] = stage.work.count;
  out.evidence["items_through_stages"] = std::move(stages);
  return out;
}

Section start_section(const StartUp& start) {
  const double ready_s = start.open_s + start.first_batch_s;
  const Band band = ready_s < kQuickStart  ? Band::good
                    : ready_s < kSlowStart ? Band::fair
                                           : Band::poor;
  Section out{"loader start-up", std::string(to_string(start.is_rebuilt() ? Band::poor : band))};
  out.evidence["open_s"] = start.open_s;
  out.evidence["first_batch_s"] = start.first_batch_s;
  out.evidence["cache"] = start.cache_state;
  if (!start.reasons.empty()) out.evidence["built_because"] = words_of(start.reasons);
  out.evidence["open_again_s"] = start.open_again_s;
  out.evidence["cache_again"] = start.state_again;
  if (!start.reasons_again.empty())
    out.evidence["built_again_because"] = words_of(start.reasons_again);
  return out;
}

}  // namespace seda::diagnose
