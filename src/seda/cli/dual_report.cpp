// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/dual_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/html.h"
#include "seda/base/json_or_null.h"
#include "seda/base/units.h"
#include "seda/cli/page_parts.h"
#include "seda/cli/verdict_text.h"
#include "seda/diagnose/bands.h"
#include "seda/diagnose/batch_times.h"
#include "seda/report/page.h"

namespace seda::cli {
namespace {

using train::DualProfile;
using train::RoleUse;

constexpr const char* kStates[pipeline::kSlotStates] = {"free", "filling", "ready", "in_use"};

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", 100 * *share) : "not measured";
}

std::string bytes(const std::optional<uint64_t>& value) {
  return value ? format_bytes(*value) : "not measured";
}

std::string budget(const RoleUse& role) {
  return role.budget_bytes ? format_bytes(*role.budget_bytes) : "none";
}

std::string transfer(const DualProfile& profile) {
  return profile.transfer_gb_s ? fmt::format("{:.1f} GB/s", *profile.transfer_gb_s)
                               : "none: batches are made where they are used";
}

std::string sharing(const DualProfile& profile) {
  return profile.shares_device
             ? fmt::format("both roles on {}: there is no second device to gain from",
                           device::to_string(profile.roles.front().device))
             : fmt::format("data on {}, model on {}", device::to_string(profile.roles[0].device),
                           device::to_string(profile.roles[1].device));
}

/// What is set by a key, of all that would help.
Json changes_json(const diagnose::Verdict& verdict) {
  Json out = Json::object();
  for (const diagnose::Remedy& remedy : verdict.remedies) {
    if (!remedy.key.empty()) out[remedy.key] = remedy.value;
  }
  return out;
}

}  // namespace

Json to_json(const DualProfile& profile) {
  Json gpus = Json::array();
  for (const RoleUse& role : profile.roles) {
    gpus.push_back({{"role", role.role},
                    {"device", device::to_string(role.device)},
                    {"busy", or_null(role.busy)},
                    {"utilization", or_null(role.utilization)},
                    {"memory_bytes", or_null(role.memory_bytes)},
                    {"budget_bytes", or_null(role.budget_bytes)}});
  }
  Json slots = Json::object();
  for (size_t state = 0; state < pipeline::kSlotStates; ++state)
    slots[kStates[state]] = 1e3 * profile.dwell_s[state];
  return {{"gpus", gpus},
          {"shares_device", profile.shares_device},
          {"transfer_gb_s", or_null(profile.transfer_gb_s)},
          {"slots", slots},
          {"variation", or_null(profile.variation)},
          {"data_stall", profile.stall},
          {"level", to_string(profile.level)},
          {"one_gpu_steps_per_second", profile.one_device_steps_per_second},
          {"dual_steps_per_second", profile.steps_per_second},
          {"gain", profile.gain},
          {"config_changes", changes_json(profile.verdict)},
          {"verdict", to_json(profile.verdict)}};
}

std::string report_text(const DualProfile& profile) {
  std::string out = fmt::format("roles        {}\n", sharing(profile));
  for (const RoleUse& role : profile.roles) {
    out += fmt::format("{:<12} busy {}, utilisation {}, memory {}, budget {}\n", role.role,
                       percent(role.busy), percent(role.utilization), bytes(role.memory_bytes),
                       budget(role));
  }
  out += fmt::format("transfer     {}\n", transfer(profile));
  out += "slots       ";
  for (size_t state = 0; state < pipeline::kSlotStates; ++state)
    out += fmt::format(" {} {}", kStates[state], format_seconds(profile.dwell_s[state]));
  out += "  a batch\n";
  out += fmt::format("variation    {}\n", diagnose::variation_text(profile.variation));
  out += fmt::format("data stall   {:.1f} %  ({})\n", 100 * profile.stall,
                     to_string(diagnose::band(profile.stall, diagnose::kStallBounds)));
  out += fmt::format("speed        {:.2f} steps/s; {:.2f} with one device for both: {:.2f} x\n",
                     profile.steps_per_second, profile.one_device_steps_per_second, profile.gain);
  out += fmt::format("level        {}\n", to_string(profile.level));
  return out + verdict_text(profile.verdict);
}

std::string report_page(const DualProfile& profile) {
  std::vector<report::Row> rows;
  rows.reserve(profile.roles.size());
  for (const RoleUse& role : profile.roles) {
    rows.push_back({role.role, device::to_string(role.device), percent(role.busy),
                    percent(role.utilization), bytes(role.memory_bytes), budget(role)});
  }
  std::vector<report::Part> dwell;
  double all_s = 0;
  for (const double state_s : profile.dwell_s)
    all_s += state_s;
  for (size_t state = 0; state < pipeline::kSlotStates && all_s > 0; ++state) {
    dwell.push_back(
        {kStates[state], format_seconds(profile.dwell_s[state]), profile.dwell_s[state] / all_s});
  }
  const std::string figures =
      report::tile("gain of two", fmt::format("{:.2f} x", profile.gain),
                   fmt::format("{:.2f} against {:.2f} steps/s", profile.steps_per_second,
                               profile.one_device_steps_per_second)) +
      report::tile("level", to_string(profile.level)) +
      report::tile("transfer", escape_html(transfer(profile)));
  return report::page(
      "seda profile dual",
      fmt::format("<h1>Two roles</h1>\n<p class=\"soft\">{}</p>\n", escape_html(sharing(profile))) +
          verdict_card(profile.verdict) + report::tiles(figures) +
          remedies_section(profile.verdict.remedies) +
          report::section(
              "Roles",
              report::table({"role", "device", "busy", "utilisation", "memory", "budget"}, rows)) +
          report::section("A batch in its slot", report::bars(dwell)));
}

}  // namespace seda::cli
