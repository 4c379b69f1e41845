// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/check.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace seda::diagnose {
namespace {

void append(std::string& all, const std::string& one) {
  if (one.empty() || all.find(one) != std::string::npos) return;
  all += (all.empty() ? "" : "; ") + one;
}

bool has_error(const std::vector<Finding>& findings) {
  return std::ranges::find(findings, Severity::error, &Finding::severity) != findings.end();
}

}  // namespace

std::string_view to_string(Status status) {
  switch (status) {
    case Status::passed:
      return "passed";
    case Status::warning:
      return "warning";
    case Status::failed:
      return "failed";
    case Status::not_measured:
      break;
  }
  return "not measured";
}

std::string_view to_string(Severity severity) {
  return severity == Severity::error ? "error" : "warning";
}

Check passed(std::string name, std::string evidence) {
  return {std::move(name), Status::passed, std::move(evidence), "", {}};
}

Check not_measured(std::string name, std::string evidence, std::string change) {
  return {std::move(name), Status::not_measured, std::move(evidence), std::move(change), {}};
}

Check judged(std::string name, std::vector<Finding> findings, const std::string& evidence) {
  if (findings.empty()) return passed(std::move(name), evidence);
  Check check{std::move(name), Status::warning, "", "", std::move(findings)};
  if (has_error(check.findings)) check.status = Status::failed;
  for (const Finding& finding : check.findings) {
    append(check.evidence, finding.evidence);
    append(check.change, finding.change);
  }
  append(check.evidence, evidence);
  return check;
}

Finding of_key(const config::Config& config, std::string_view key, Severity severity,
               FindingCode code, const std::string& evidence, std::string change) {
  const config::Source& source = config.source(key);
  const bool in_file = source.origin == config::Origin::file;
  return {severity,
          std::string(to_string(code)),
          std::string(key),
          in_file ? source.place.line : 0,
          fmt::format("{} ({})", evidence, source.text()),
          std::move(change),
          {}};
}

Finding with_fix(Finding finding, const config::Config& config, config::Value value) {
  if (config.source(finding.key).origin != config::Origin::flag)
    finding.fix = config::set_to(finding.key, std::move(value));
  return finding;
}

Finding of_machine(Severity severity, FindingCode code, std::string evidence, std::string change) {
  return {severity, std::string(to_string(code)), "", 0, std::move(evidence), std::move(change),
          {}};
}

Json to_json(const Check& check) {
  return {{"name", check.name},
          {"status", to_string(check.status)},
          {"evidence", check.evidence},
          {"change", check.change}};
}

Json to_json(const Finding& finding) {
  return {{"severity", to_string(finding.severity)},
          {"code", finding.code},
          {"key", finding.key},
          {"line", finding.line > 0 ? Json(finding.line) : Json()},
          {"evidence", finding.evidence},
          {"change", finding.change},
          {"fixable", finding.fix.has_value()}};
}

}  // namespace seda::diagnose
