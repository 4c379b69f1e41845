// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/cause.h"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace seda::diagnose {
namespace {

constexpr std::array<std::string_view, static_cast<size_t>(Cause::unknown) + 1> kNames = {
    "healthy",         "slow_storage",    "slow_decode",    "slow_text",       "too_few_workers",
    "ring_too_small",  "unpinned_copies", "slow_transfer",  "host_sync",       "launch_bound",
    "batch_too_small", "slow_clip",       "cpu_contention", "padding_waste",   "cold_cache",
    "cache_rebuilt",   "cache_off",       "reference_path", "memory_pressure", "gpu_throttled",
    "gpu_bound",       "no_gpu",          "unknown"};

}  // namespace

std::string_view to_string(Cause cause) {
  return kNames.at(static_cast<size_t>(cause));
}

Remedy set_to(std::string key, std::string value) {
  Remedy out;
  out.change = key + ": " + value;
  out.key = std::move(key);
  out.value = std::move(value);
  return out;
}

Json to_json(const Verdict& verdict) {
  Json remedies = Json::array();
  for (const Remedy& remedy : verdict.remedies) {
    const std::optional<Gain>& gain = remedy.gain;
    remedies.push_back(
        {{"change", remedy.change},
         {"expected_gain", remedy.expected_gain.empty() ? Json() : Json(remedy.expected_gain)},
         {"before", gain ? Json(gain->before) : Json()},
         {"after", gain ? Json(gain->after) : Json()},
         {"unit", gain ? Json(gain->unit) : Json()}});
  }
  return {{"cause", to_string(verdict.cause)},
          {"evidence", fmt::format("{}", fmt::join(verdict.evidence, "; "))},
          {"remedies", std::move(remedies)}};
}

}  // namespace seda::diagnose
